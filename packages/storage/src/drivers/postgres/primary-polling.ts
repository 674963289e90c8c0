import { setTimeout as sleep } from 'node:timers/promises'
import type { Watch } from '../../database.ts'
import { WAITING_MS } from './change-health.ts'
import type { Sessions } from './database-sessions.ts'
import { POOL_LIMITS } from './postgres-pools.ts'
import type { Primary } from './primary-server.ts'

/** Interval at which a node checks which server the database address leads to. */
const POLL_INTERVAL_MS = 5000
/** Interval at which a node checks for statements that have been waiting for a long time. This check sends no query. */
const CHECK_INTERVAL_MS = 500
const POLL_AFTER_WAIT_MS = 2000

/**
 * Checks periodically which server the database address leads to, because open connections remain with the old server.
 * Checks sooner if a statement has been unanswered for a long time.
 */
export function pollPrimary(sessions: Sessions, primary: Primary): Watch {
  const stop = new AbortController()
  const ended = (async () => {
    let lookedAt = performance.now()
    while (!stop.signal.aborted) {
      await sleep(CHECK_INTERVAL_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {})
      const sinceMs = performance.now() - lookedAt
      const dueMs = primary.listWaiting(WAITING_MS).length > 0 ? POLL_AFTER_WAIT_MS : POLL_INTERVAL_MS
      if (stop.signal.aborted || sinceMs < dueMs) continue
      await sessions.pollPrimary(POOL_LIMITS)
      lookedAt = performance.now()
    }
  })()
  return {
    close: async () => {
      stop.abort()
      await ended
    },
  }
}
