import type { CompletedReply } from '../http/app-options.ts'
import type { DebugLog } from './logger.ts'

/**
 * Returns a listener that is called for each reply. It calls the given listener and, if debug logging is enabled, logs
 * the method, route pattern, status and duration of the reply.
 */
export function withResponseLog(
  hear: (seen: CompletedReply) => void,
  debug: DebugLog | undefined,
): (seen: CompletedReply) => void {
  if (debug === undefined) return hear
  return (seen) => {
    hear(seen)
    debug(`${seen.method} ${seen.route} ${seen.status} in ${seen.durationMs.toFixed(1)} ms`)
  }
}
