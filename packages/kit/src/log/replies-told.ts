import type { SeenReply } from '../http/app-options.ts'
import type { Debug } from './logger.ts'

/** Hears of every reply; says each as a step too, where steps are wanted: method, pattern of the route, status, time. */
export function toldReplies(hear: (seen: SeenReply) => void, debug: Debug | undefined): (seen: SeenReply) => void {
  if (debug === undefined) return hear
  return (seen) => {
    hear(seen)
    debug(`${seen.method} ${seen.route} ${seen.status} in ${seen.durationMs.toFixed(1)} ms`)
  }
}
