import type { Reader, Tx } from '../store/database.ts'
import { type Author, insertEvents, type NewEvent, type StoredEvent } from '../store/events/events.ts'
import { LastAnswer } from '../store/writing/last-answer.ts'
import { switchOffWithoutStrategy } from './features/last-enabled-strategy.ts'
import { newUuid, type World } from './world.ts'

/** When and by whom a change is made, and ids for what it makes. */
export interface Moment extends Pick<World, 'random' | 'secrets' | 'readableSecrets'> {
  readonly now: number
  readonly author: Author
  readonly newId: () => string
}

/** What a change did: its result, and the events of it; no events means that nothing changed. */
export interface Outcome<O> {
  readonly result: O
  readonly events: readonly NewEvent[]
}

/** A change reads and writes state in `tx` and says what happened. It never commits, publishes or sees HTTP. */
export type Change<I, O> = (tx: Tx, input: I, moment: Moment) => Promise<Outcome<O>>

/**
 * A change of one flag, in two steps: what it has to know, and the change. It reads and writes nothing that belongs to
 * another flag, so that what it has to know can be read while others write.
 */
export interface FlagChange<I, K, O> {
  readonly read: (reader: Reader, input: I) => Promise<K>
  readonly write: (tx: Tx, input: I, moment: Moment, known: K) => Promise<Outcome<O>>
}

/** Both steps, one after the other. */
export function inOneStep<I, K, O>({ read, write }: FlagChange<I, K, O>): Change<I, O> {
  return async (tx, input, moment) => write(tx, input, moment, await read(tx, input))
}

interface Written<O> {
  readonly result: O
  readonly stored: readonly StoredEvent[]
}

/**
 * The one door for administrative writes: state and events commit together or not at all, under the writer lock;
 * subscribers hear of them after the commit, and cannot undo it. What holds for all changes is held here: environments
 * that a change leaves on without an enabled strategy are switched off with it. Throws what the change throws.
 */
export async function execute<I, O>(world: World, author: Author, change: Change<I, O>, input: I): Promise<O> {
  return publish(
    world,
    author,
    await world.db.write((tx) => carryOut(world, author, tx, (moment) => change(tx, input, moment))),
  )
}

/** The same for a change of one flag. */
export async function executeFlagChange<I extends { readonly feature: string }, K, O>(
  world: World,
  author: Author,
  { read, write }: FlagChange<I, K, O>,
  input: I,
): Promise<O> {
  const written = await world.db.write<Written<O>, K>(
    async (tx, known = read(tx, input)) => {
      const before = await known
      return carryOut(world, author, tx, (moment) => write(tx, input, moment, before))
    },
    { about: input.feature, read: (reader) => read(reader, input) },
  )
  return publish(world, author, written)
}

async function carryOut<O>(
  world: World,
  author: Author,
  tx: Tx,
  change: (moment: Moment) => Promise<Outcome<O>>,
): Promise<Written<O> | LastAnswer<Written<O>>> {
  // read under the lock, so that times follow the order of ids
  const now = world.clock()
  const { random, secrets, readableSecrets } = world
  const outcome = await change({ now, author, newId: () => newUuid(random), random, secrets, readableSecrets })
  const events = [...outcome.events, ...(await switchOffWithoutStrategy(tx, outcome.events))]
  const { result } = outcome
  if (events.length === 0) return { result, stored: [] }
  return new LastAnswer(
    insertEvents(tx, author, events, now).then((stored) => ({ result, stored })),
    true,
  )
}

async function publish<O>(world: World, author: Author, { result, stored }: Written<O>): Promise<O> {
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
