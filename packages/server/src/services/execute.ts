import type { Tx } from '../store/database.ts'
import { type Author, insertEvents, type NewEvent } from '../store/events/events.ts'
import { switchOffWithoutStrategy } from './features/last-enabled-strategy.ts'
import { newUuid, type World } from './world.ts'

/** When and by whom a change is made, and ids for what it makes. */
export interface Moment {
  readonly now: number
  readonly author: Author
  readonly newId: () => string
  readonly random: World['random']
}

/** What a change did: its result, and the events of it; no events means that nothing changed. */
export interface Outcome<O> {
  readonly result: O
  readonly events: readonly NewEvent[]
}

/** A change reads and writes state in `tx` and says what happened. It never commits, publishes or sees HTTP. */
export type Change<I, O> = (tx: Tx, input: I, moment: Moment) => Promise<Outcome<O>>

/**
 * The one door for administrative writes: state and events commit together or not at all, under the writer lock;
 * subscribers hear of them after the commit, and cannot undo it. What holds for all changes is held here: environments
 * that a change leaves on without an enabled strategy are switched off with it. Throws what the change throws.
 */
export async function execute<I, O>(world: World, author: Author, change: Change<I, O>, input: I): Promise<O> {
  const { result, stored } = await world.db.write(
    async (tx) => {
      // read under the lock, so that times follow the order of ids
      const now = world.clock()
      const moment: Moment = { now, author, newId: () => newUuid(world.random), random: world.random }
      const outcome = await change(tx, input, moment)
      const events = [...outcome.events, ...(await switchOffWithoutStrategy(tx, outcome.events))]
      return { result: outcome.result, stored: await insertEvents(tx, author, events, now) }
    },
    ({ stored }) => stored.at(-1)?.id,
  )
  if (stored.length > 0) {
    world.security?.changed(author, stored)
    world.debug?.(`Changed: ${stored.map(({ id, type }) => `${type} (${id})`).join(', ')}`)
    await world.broadcast.publish(stored)
  }
  return result
}

/** The narrow door: usage counters, last-seen times and sessions, which no one audits. One transaction, no events. */
export function record<T>(world: World, work: (tx: Tx) => Promise<T>): Promise<T> {
  return world.db.count(work)
}
