import type { Reader, Tx } from '../store/database.ts'
import { type Author, insertEvents, type NewEvent, reachOf, type StoredEvent } from '../store/events/events.ts'
import type { ProjectPlace } from '../store/projects/environments.ts'
import { ChangedFlags } from '../store/writing/changed-flags.ts'
import { LastAnswer } from '../store/writing/last-answer.ts'
import { type Doer, guardedIn, type KnownGuards, skippedGuards } from './change-requests/guard.ts'
import { switchOffWithoutStrategy } from './features/last-enabled-strategy.ts'
import { withdrawGrants } from './integrations/project-grants.ts'
import { type ChosenLimits, USUAL_LIMITS } from './resource-limits.ts'
import { requireWithinLimits } from './targeting/strategy-limits.ts'
import { newUuid, type World } from './world.ts'

/** When and by whom a change is made, and ids for what it makes. */
export interface Moment extends Pick<World, 'random' | 'secrets' | 'readableSecrets'> {
  readonly now: number
  readonly resourceLimits: ChosenLimits
  readonly author: Author
  readonly newId: () => string
}

/** What a change did: its result, and the events of it; no events means that nothing changed. */
export interface Outcome<O> {
  readonly result: O
  readonly events: readonly NewEvent[]
  /** Bytes that it stores besides its events, as far as whoever makes it chooses them. */
  readonly stores?: number
  /** It ends access: the budget of what people store never refuses it. */
  readonly endsAccess?: true
  /** For which environments of a project this was reviewed: a change request that was approved. */
  readonly reviewed?: readonly ProjectPlace[] | undefined
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

/**
 * The same change, with what `view` shows of its result, read in its transaction: a change that was made and then could not
 * be shown would be told as one that failed.
 */
export function shown<I, O, V>(change: Change<I, O>, view: (tx: Tx, result: O) => Promise<V>): Change<I, V> {
  return async (tx, input, moment) => {
    const { result, ...outcome } = await change(tx, input, moment)
    return { ...outcome, result: await view(tx, result) }
  }
}

interface Written<O> {
  readonly result: O
  readonly stored: readonly StoredEvent[]
  readonly changed?: ChangedFlags | undefined
  /** Lines for the log once the change is committed. */
  readonly lines?: readonly string[]
}

/**
 * The one door for administrative writes: state and events commit together or not at all, under the writer lock;
 * subscribers hear of them after the commit, and cannot undo it. What holds for all changes is held here: environments
 * that a change leaves on without an enabled strategy are switched off with it, and environments that take changes by change
 * request only are changed by nothing else. Throws what the change throws, and NoAccessError for those.
 */
export async function execute<I, O>(world: World, author: Doer, change: Change<I, O>, input: I): Promise<O> {
  return publish(
    world,
    author,
    await world.db.write((tx) => carryOut(world, author, tx, (moment) => change(tx, input, moment))),
  )
}

/** The same for a change of one flag. */
export async function executeFlagChange<I extends FlagRef, K, O>(
  world: World,
  author: Doer,
  { read, write }: FlagChange<I, K, O>,
  input: I,
): Promise<O> {
  // whether it needs a change request is asked with the rest: then all that it writes goes at once, with the commit
  const ask = async (reader: Reader) => {
    const [before, guarded] = await Promise.all([read(reader, input), guardedIn(reader, author, [input.project])])
    return { before, guarded }
  }
  const written = await world.db.write<Written<O>, { readonly before: K; readonly guarded: KnownGuards }>(
    async (tx, known = ask(tx)) => {
      const { before, guarded } = await known
      return carryOut(world, author, tx, (moment) => write(tx, input, moment, before), guarded)
    },
    { about: input.feature, read: ask },
  )
  return publish(world, author, written)
}

/** Which flag a change is of, and in which project it is said to be. */
interface FlagRef {
  readonly project: string
  readonly feature: string
}

/**
 * What somebody would see after a change, of which nothing stays. Throws what the change throws; guards are not asked.
 */
export async function rehearse<I, O, T>(
  world: World,
  author: Doer,
  change: Change<I, O>,
  { input, look }: { readonly input: I; readonly look: (tx: Tx) => Promise<T> },
): Promise<T> {
  try {
    return await world.db.write(async (tx): Promise<T> => {
      await change(tx, input, momentOf(world, author))
      throw new Undone(await look(tx))
    })
  } catch (error) {
    if (error instanceof Undone) return error.seen as T
    throw error
  }
}

/** Ends what was only tried. */
class Undone extends Error {
  override readonly name = 'Undone'
  readonly seen: unknown

  constructor(seen: unknown) {
    super('Tried, and undone')
    this.seen = seen
  }
}

/** Read under the lock, so that times follow the order of ids. */
function momentOf(world: World, author: Author): Moment {
  const { random, secrets, readableSecrets, resourceLimits = USUAL_LIMITS } = world
  const given = { random, secrets, readableSecrets, resourceLimits }
  return { now: world.clock(), author, newId: () => newUuid(random), ...given }
}

async function carryOut<O>(
  world: World,
  author: Doer,
  tx: Tx,
  change: (moment: Moment) => Promise<Outcome<O>>,
  guarded?: KnownGuards,
): Promise<Written<O> | LastAnswer<Written<O>>> {
  const moment = momentOf(world, author)
  const { now } = moment
  const { result, events: said, reviewed, stores, endsAccess } = await change(moment)
  if (said.length === 0) return { result, stored: [] }
  requireWithinLimits(moment.resourceLimits, said)
  const withdrawn = await withdrawGrants(tx, said)
  const all = [...said, ...(await switchOffWithoutStrategy(tx, said)), ...withdrawn.events]
  const events = [...all, ...(await skippedGuards(tx, author, all, { reviewed, guarded }))]
  world.storage?.charge(author, { events, stores, endsAccess })
  const changed = world.flagsAfter && changedBy(events)
  const answer = insertEvents(tx, author, events, now).then((stored) => ({
    result,
    stored,
    changed,
    lines: withdrawn.lines,
  }))
  return new LastAnswer(answer, { hasEvents: true, changed })
}

/** Which flags these change in which environments; undefined where one of them changes more than that. */
function changedBy(events: readonly NewEvent[]): ChangedFlags | undefined {
  const reaching = events.filter((event) => reachOf(event) !== null)
  const places = reaching.flatMap(({ featureName, environment }) =>
    featureName === undefined || environment === undefined ? [] : [{ featureName, environment }],
  )
  if (places.length === 0 || places.length < reaching.length) return undefined
  return new ChangedFlags(
    places.map(({ environment }) => environment),
    places.map(({ featureName }) => featureName),
  )
}

async function publish<O>(
  world: World,
  author: Author,
  { result, stored, changed, lines = [] }: Written<O>,
): Promise<O> {
  for (const line of lines) world.logger.warn(line)
  if (stored.length > 0) {
    world.security?.changed(author, stored)
    world.debug?.(`Changed: ${stored.map(({ id, type }) => `${type} (${id})`).join(', ')}`)
    const forget = changed && world.flagsAfter?.keep(stored, changed)
    await world.broadcast.publish(stored)
    forget?.()
  }
  return result
}

/** The narrow door: usage counters, last-seen times and sessions, which no one audits. One transaction, no events. */
export function record<T>(world: World, work: (tx: Tx) => Promise<T>): Promise<T> {
  return world.db.count(work)
}
