import type { Logger } from '@burgee/kit/log/logger'
import { within } from '@burgee/kit/within'
import type { CommitListener } from '@burgee/serving/sdk/flag-streams'
import type { Revision } from '../store/epochs.ts'
import type { StoredEvent } from '../store/events/events.ts'

/** Hears of committed events, in order. A promise says when what follows from them is in effect. */
export type Listener = (events: readonly StoredEvent[]) => void | Promise<void>

/** Tells parts of this process what was committed, each event once and in the order of ids. */
export interface Broadcast {
  /**
   * Calls every listener and waits for what they do, a second at the longest; what takes longer goes on. A listener
   * that throws is logged and keeps nobody else from hearing. Never rejects.
   */
  publish(events: readonly StoredEvent[]): Promise<void>
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
  /** Calls every listener at once and waits for nothing. Never throws. */
  tell(events: readonly StoredEvent[]): void
  /** Waits for what listeners are doing about what they heard, a second at the longest. Never rejects. */
  settled(): Promise<void>
  /**
   * Calls every listener's `restored`; one that throws is logged. Rejects after all have been called where one of them
   * could not read: call it again then.
   */
  restored(now: Revision): Promise<void>
}

const LONGEST_WAIT_MS = 1000

/** A broadcast within this process. */
export function createBroadcast(logger: Logger): LocalBroadcast {
  const listeners = new Set<{ readonly heard: Listener; readonly restored: Restored }>()
  const working = new Set<Promise<void>>()
  const failed = (error: unknown): void => logger.error('A listener to events failed', error)
  const follow = (work: Promise<void>): void => {
    const done = work.catch(failed).finally(() => working.delete(done))
    working.add(done)
  }
  const local: LocalBroadcast = {
    tell(events) {
      for (const { heard } of [...listeners]) {
        try {
          const work = heard(events)
          if (work !== undefined) follow(work)
        } catch (error) {
          failed(error)
        }
      }
    },
    async settled() {
      if (working.size > 0) await within(LONGEST_WAIT_MS, Promise.all(working)).catch(() => {})
    },
    async publish(events) {
      local.tell(events)
      await local.settled()
    },
    async restored(now) {
      const told = [...listeners].map(({ restored }) => {
        try {
          return restored(now)
        } catch (error) {
          failed(error)
          return undefined
        }
      })
      const lost = (await Promise.allSettled(told)).find(({ status }) => status === 'rejected')
      if (lost?.status === 'rejected') throw lost.reason
    },
    subscribe(heard, restored) {
      const own = { heard, restored }
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
  return local
}

/** When changes were made that reach environments ('': all of them), as streams of flags want to hear it. */
export function commitsOf(broadcast: Pick<Broadcast, 'subscribe'>): (listener: CommitListener) => () => void {
  return (listener) =>
    broadcast.subscribe(
      (events) => {
        for (const { reach, createdAt } of events) if (reach !== null) listener(reach, Date.parse(createdAt))
      },
      () => {},
    )
}
