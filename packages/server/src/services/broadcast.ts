import type { Logger } from '@burgee/kit/log/logger'
import type { Revision } from '../store/epochs.ts'
import type { StoredEvent } from '../store/events/events.ts'

/** Hears of committed events, in order. */
export type Listener = (events: readonly StoredEvent[]) => void

/** Tells parts of this process what was committed, each event once and in the order of ids. */
export interface Broadcast {
  /**
   * Calls every listener before it returns or, where it returns a promise, before that resolves; a listener that throws
   * is logged and keeps nobody else from hearing. Never throws or rejects.
   */
  publish(events: readonly StoredEvent[]): void | Promise<void>
  /**
   * Adds a listener and returns what removes it again. `restored` is called instead when the database was set back:
   * everything that was read from it may be different, and what is read from now on is of the new life.
   */
  subscribe(listener: Listener, restored: Restored): () => void
}

/** Hears that the database was set back, and where it stands now. */
export type Restored = (now: Revision) => void | Promise<void>

/** A broadcast whose listeners can be told of a restore. */
export interface LocalBroadcast extends Broadcast {
  /**
   * Calls every listener's `restored`; one that throws is logged. Rejects after all have been called where one of them
   * could not read: call it again then.
   */
  restored(now: Revision): Promise<void>
}

/** A broadcast within this process. */
export function createBroadcast(logger: Logger): LocalBroadcast {
  const listeners = new Set<{ readonly heard: Listener; readonly restored: Restored }>()
  return {
    publish(events) {
      for (const { heard } of [...listeners]) {
        try {
          heard(events)
        } catch (error) {
          logger.error('A listener to events failed', error)
        }
      }
    },
    async restored(now) {
      const told = [...listeners].map(({ restored }) => {
        try {
          return restored(now)
        } catch (error) {
          logger.error('A listener to events failed', error)
          return undefined
        }
      })
      const failed = (await Promise.allSettled(told)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
    subscribe(heard, restored) {
      const own = { heard, restored }
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
}
