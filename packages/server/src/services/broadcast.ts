import type { Logger } from '@burgee/kit/logger'
import type { StoredEvent } from '../store/events.ts'

/** Hears of committed events, in order. */
export type Listener = (events: readonly StoredEvent[]) => void

/** Tells parts of this process what was committed, each event once and in the order of ids. */
export interface Broadcast {
  /**
   * Calls every listener before it returns or, where it returns a promise, before that resolves; a listener that throws
   * is logged and keeps nobody else from hearing. Never throws or rejects.
   */
  publish(events: readonly StoredEvent[]): void | Promise<void>
  /** Adds a listener and returns what removes it again. */
  subscribe(listener: Listener): () => void
}

/** A broadcast within this process. */
export function createBroadcast(logger: Logger): Broadcast {
  const listeners = new Set<Listener>()
  return {
    publish(events) {
      for (const listener of [...listeners]) {
        try {
          listener(events)
        } catch (error) {
          logger.error('A listener to events failed', error)
        }
      }
    },
    subscribe(listener) {
      const own: Listener = (events) => listener(events)
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
}
