import type { CompletedReply } from '../http/app-options.ts'
import type { DebugLog } from './logger.ts'

/**
 * Returns a listener for replies. In addition to calling the given listener, it logs each reply at debug level, if
 * enabled: method, route pattern, status, duration.
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
