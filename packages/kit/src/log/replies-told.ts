import type { SeenReply } from '../http/app-options.ts'
import type { Debug } from './logger.ts'

/**
 * Returns a listener for replies that also logs each one at debug level, if enabled: method, route pattern, status,
 * duration.
 */
export function toldReplies(hear: (seen: SeenReply) => void, debug: Debug | undefined): (seen: SeenReply) => void {
  if (debug === undefined) return hear
  return (seen) => {
    hear(seen)
    debug(`${seen.method} ${seen.route} ${seen.status} in ${seen.durationMs.toFixed(1)} ms`)
  }
}
