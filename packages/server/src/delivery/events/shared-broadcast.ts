import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { type Database, getGeneration } from '@burgee/storage/database'
import { type Position, type Revision, readPosition } from '@burgee/storage/epochs'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { type Broadcast, createBroadcast } from './broadcast.ts'
import { ContactMonitor, type DatabaseContact } from './database-contact.ts'
import { EventOrder } from './event-order.ts'
import { EventPoller } from './event-poller.ts'

/** Broadcast that can be closed. */
export interface OpenBroadcast extends Broadcast {
  contact(): DatabaseContact
  /** Position in the event log, or undefined until the database was reached for the first time. */
  position(): Position | undefined
  /** Last event that listeners have received. */
  lastReceived(): Revision
  /**
   * Polls the event table and publishes everything committed before the call. Resolves to false if the query fails;
   * never rejects.
   */
  poll(): Promise<boolean>
  /**
   * Subscribes to messages from other nodes; undefined if no other node can use the database. Returns a function that
   * unsubscribes.
   */
  readonly subscribeToNodes?: ((listener: (message: string) => void) => () => void) | undefined
  /** Stops polling. */
  close(): Promise<void>
}

/** Dependencies of a broadcast. */
export interface BroadcastDeps {
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly monotonic: MonotonicClock
}

/**
 * Creates a broadcast of the events that any node commits. Listeners receive every event that is committed from now on,
 * once and in the order of ids. In addition to receiving notifications, polls the table twice a second, in case a
 * notification is lost. If a poll finds that the database was restored or replaced, the `restored` function of every
 * listener is called. If a restore was found and no node has started a new database epoch, this node starts one.
 *
 * If `away` (the last known position) is given, the function does not wait for an unreachable database. The first poll
 * that reaches the database then also calls `restored`.
 */
export async function openBroadcast(
  db: Database,
  { logger, debug, clock, monotonic }: BroadcastDeps,
  away?: Position,
): Promise<OpenBroadcast> {
  const local = createBroadcast(logger)
  const generation = getGeneration(db)
  const position = away ?? (await readPosition(db.reader))
  const isAway = away !== undefined
  const contact = new ContactMonitor({ kind: db.kind, logger, clock, monotonic, isAway })
  const order: EventOrder = new EventOrder(local, position, () => poller.isContinuous)
  const poller = new EventPoller({ db, order, contact, local, logger, debug }, { generation, isAway })
  const poll = () => poller.poll()
  const nodeListeners = new Set<(message: string) => void>()
  const subscribeToNodes = (listener: (message: string) => void) => {
    nodeListeners.add(listener)
    return () => void nodeListeners.delete(listener)
  }
  const watch = db.watch?.(
    () => {
      contact.recordNotification()
      void poll()
    },
    (error) => void contact.recordNotificationsLost(error, poll),
    (message) => {
      for (const listener of nodeListeners) callNodeListener(listener, message, debug)
    },
  )
  return {
    subscribe: local.subscribe,
    subscribeToNodes: db.watch === undefined ? undefined : subscribeToNodes,
    contact: () => contact.state,
    position: () => poller.position,
    lastReceived: () => order.lastReceived,
    poll,
    publish: (events) => publishLocalEvents(events, order, poll).then(local.settled),
    async close() {
      poller.stop()
      await watch?.close()
      await poller.settle()
    },
  }
}

/** Calls a listener, and logs its error: an error in an event handler of the connection would end the process. */
function callNodeListener(listener: (message: string) => void, message: string, debug: DebugLog | undefined): void {
  try {
    listener(message)
  } catch (error) {
    debug?.(`Cannot use a message of another node: ${error}`)
  }
}

/** Publishes events of this node, after events that other nodes committed before them. */
async function publishLocalEvents(
  events: readonly StoredEvent[],
  order: EventOrder,
  poll: () => Promise<boolean>,
): Promise<void> {
  if (events.length === 0) return
  await order.addOwn(events)
  // not published yet: events of other nodes come first, or the database was restored and its ids started again from a
  // lower number
  if (order.isPublished(events) || ((await poll()) && order.isPublished(events))) return
  // the events are committed but cannot be read: publish them now, because the change must take effect before the reply
  order.publishOutOfOrder(events)
}
