import type { Logger } from '@burgee/kit/log/logger'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { CommitListener } from '@burgee/serving/sdk/flag-streams'
import type { Revision } from '@burgee/storage/epochs'
import type { StoredEvent } from '@burgee/storage/queries/events/events'

/** Receives committed events in order. The returned promise resolves once the events have taken effect. */
export type Listener = (events: readonly StoredEvent[]) => void | Promise<void>

/** Publishes committed events to listeners in this process, each event once and in the order of event ids. */
export interface Broadcast {
  /**
   * Calls every listener and waits for their promises, for at most one second; slower listeners continue. If a listener
   * throws, the error is logged, and other listeners are not affected. Never rejects.
   */
  publish(events: readonly StoredEvent[]): Promise<void>
  /**
   * Adds a listener and returns a function that removes it. If the database was restored, `restored` is called instead
   * of the listener: data that was read earlier may be stale, and later queries read the new database epoch.
   */
  subscribe(listener: Listener, restored: RestoreListener): () => void
}

/** Called with the current position after the database was restored. */
export type RestoreListener = (now: Revision) => void | Promise<void>

/** Broadcast within one process, which can also notify listeners of a restore. */
export interface LocalBroadcast extends Broadcast {
  /** Calls every listener synchronously, without waiting for the returned promises. Never throws. */
  notify(events: readonly StoredEvent[]): void
  /** Waits for the listeners' pending promises, for at most one second. Never rejects. */
  settled(): Promise<void>
  /**
   * Calls the `restored` function of every listener. Synchronous errors are logged. If a returned promise rejects, this
   * method rejects after all listeners have been called, and the caller must call it again.
   */
  notifyRestored(now: Revision): Promise<void>
}

const MAX_WAIT_MS = 1000

/** Creates a broadcast within this process. */
export function createBroadcast(logger: Logger): LocalBroadcast {
  const listeners = new Set<{ readonly listener: Listener; readonly restored: RestoreListener }>()
  const working = new Set<Promise<void>>()
  const failed = (error: unknown): void => logger.error('An event listener failed', error)
  const follow = (work: Promise<void>): void => {
    const done = work.catch(failed).finally(() => working.delete(done))
    working.add(done)
  }
  const local: LocalBroadcast = {
    notify(events) {
      for (const { listener } of [...listeners]) {
        try {
          const work = listener(events)
          if (work !== undefined) follow(work)
        } catch (error) {
          failed(error)
        }
      }
    },
    async settled() {
      if (working.size > 0) await withTimeout(MAX_WAIT_MS, Promise.all(working)).catch(() => {})
    },
    async publish(events) {
      local.notify(events)
      await local.settled()
    },
    async notifyRestored(now) {
      const notified = [...listeners].map(({ restored }) => {
        try {
          return restored(now)
        } catch (error) {
          failed(error)
          return undefined
        }
      })
      const lost = (await Promise.allSettled(notified)).find(({ status }) => status === 'rejected')
      if (lost?.status === 'rejected') throw lost.reason
    },
    subscribe(listener, restored) {
      const own = { listener, restored }
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
  return local
}

/**
 * Returns a subscription for flag streams. The subscription receives the times at which changes were committed, by
 * environment; '' stands for all environments.
 */
export function createCommitSubscription(
  broadcast: Pick<Broadcast, 'subscribe'>,
): (listener: CommitListener) => () => void {
  return (listener) =>
    broadcast.subscribe(
      (events) => {
        for (const { reach, createdAt } of events) if (reach !== null) listener(reach, Date.parse(createdAt))
      },
      () => {},
    )
}
