import type { Reader, Tx } from '@burgee/storage/database'
import {
  type Author,
  getAffectedEnvironments,
  insertEvents,
  type NewEvent,
  type StoredEvent,
} from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { ChangedFlags } from '@burgee/storage/transactions/changed-flags'
import { PipelinedResult } from '@burgee/storage/transactions/pipelined-result'
import { enforceGuards, type LoadedGuards, loadGuards } from '../admin/change-requests/guard.ts'
import { switchOffWithoutStrategy } from '../admin/flags/last-enabled-strategy.ts'
import { withdrawGrants } from '../admin/integrations/project-grants.ts'
import { requireWithinLimits } from '../admin/targeting/strategy-limits.ts'
import type { ChangeAuthor } from './access/rights/rights.ts'
import { type ConfiguredLimits, DEFAULT_LIMITS } from './resource-limits.ts'
import { newUuid, type World } from './world.ts'

/** Context of one execution of a change: time, author, limits and id generator. */
export interface ChangeContext extends Pick<World, 'random' | 'secrets' | 'readableSecrets'> {
  readonly now: number
  readonly resourceLimits: ConfiguredLimits
  readonly author: Author
  readonly newId: () => string
}

/** Result of a change and its events. An empty event list means that the change had no effect. */
export interface Outcome<O> {
  readonly result: O
  readonly events: readonly NewEvent[]
  /** Bytes that the change stores in addition to its events, if callers control the amount. */
  readonly stores?: number
  /** Set if the change revokes access. The storage budget never rejects such a change. */
  readonly endsAccess?: true
  /** Environments for which the change was reviewed, with their projects. Set for an approved change request. */
  readonly reviewed?: readonly ProjectEnvironmentKey[] | undefined
}

/** Function that reads and writes state in `tx` and returns its events. It never commits, publishes or sees HTTP. */
export type Change<I, O> = (tx: Tx, input: I, moment: ChangeContext) => Promise<Outcome<O>>

/**
 * Change of one flag in two steps: a query and a write. Neither step uses data of other flags, so the query can run
 * while other changes are being written.
 */
export interface FlagChange<I, K, O> {
  readonly read: (reader: Reader, input: I) => Promise<K>
  readonly write: (tx: Tx, input: I, moment: ChangeContext, known: K) => Promise<Outcome<O>>
}

/** Combines the two steps of a `FlagChange` into one change: first the query, then the write. */
export function inOneStep<I, K, O>({ read, write }: FlagChange<I, K, O>): Change<I, O> {
  return async (tx, input, moment) => write(tx, input, moment, await read(tx, input))
}

/**
 * Creates a change that returns a view of the result of the given change. The view is read in the same transaction: if
 * it were read after the commit and the read failed, a committed change would be reported as failed.
 */
export function withView<I, O, V>(change: Change<I, O>, view: (tx: Tx, result: O) => Promise<V>): Change<I, V> {
  return async (tx, input, moment) => {
    const { result, ...outcome } = await change(tx, input, moment)
    return { ...outcome, result: await view(tx, result) }
  }
}

interface CommittedChange<O> {
  readonly result: O
  readonly stored: readonly StoredEvent[]
  readonly changed?: ChangedFlags | undefined
  /** Log lines to write once the change is committed. */
  readonly lines?: readonly string[]
}

/**
 * Runs an admin write. This is the only entry point for admin writes.
 *
 * State and events are committed together under the writer lock, or not at all. Subscribers are notified after the
 * commit and cannot undo it. Two rules apply to all changes: a flag that a change leaves enabled in an environment
 * without an enabled strategy is disabled there, and environments that require change requests reject direct changes.
 *
 * Throws the errors of the change, and NoAccessError for direct changes to such environments.
 */
export async function execute<I, O>(world: World, author: ChangeAuthor, change: Change<I, O>, input: I): Promise<O> {
  return publish(
    world,
    author,
    await world.db.write((tx) => runChange(world, author, tx, (moment) => change(tx, input, moment))),
  )
}

/** Executes a change of one flag; otherwise the same as `execute`. */
export async function executeFlagChange<I extends FlagRef, K, O>(
  world: World,
  author: ChangeAuthor,
  { read, write }: FlagChange<I, K, O>,
  input: I,
): Promise<O> {
  // read the change-request guards together with the flag, so that all writes can be sent along with the commit
  const ask = async (reader: Reader) => {
    const [before, guarded] = await Promise.all([read(reader, input), loadGuards(reader, author, [input.project])])
    return { before, guarded }
  }
  const written = await world.db.write<CommittedChange<O>, { readonly before: K; readonly guarded: LoadedGuards }>(
    async (tx, known = ask(tx)) => {
      const { before, guarded } = await known
      return runChange(world, author, tx, (moment) => write(tx, input, moment, before), guarded)
    },
    { subject: input.feature, read: ask },
  )
  return publish(world, author, written)
}

/** Name of the flag to change, and the project that the caller expects it in. */
interface FlagRef {
  readonly project: string
  readonly feature: string
}

/**
 * Performs a dry run: applies the change, reads a result with `look`, then always rolls back. Throws the errors of the
 * change. Does not enforce change-request protection.
 */
export async function dryRun<I, O, T>(
  world: World,
  author: ChangeAuthor,
  change: Change<I, O>,
  { input, look }: { readonly input: I; readonly look: (tx: Tx) => Promise<T> },
): Promise<T> {
  try {
    return await world.db.write(async (tx): Promise<T> => {
      await change(tx, input, createChangeContext(world, author))
      throw new DryRunRollback(await look(tx))
    })
  } catch (error) {
    if (error instanceof DryRunRollback) return error.result as T
    throw error
  }
}

/** Thrown to roll back a dry run. */
class DryRunRollback extends Error {
  override readonly name = 'DryRunRollback'
  readonly result: unknown

  constructor(seen: unknown) {
    super('Tried, and undone')
    this.result = seen
  }
}

/**
 * Builds the context of a change. Called under the writer lock, so that event times have the same order as event ids.
 */
function createChangeContext(world: World, author: Author): ChangeContext {
  const { random, secrets, readableSecrets, resourceLimits = DEFAULT_LIMITS } = world
  const given = { random, secrets, readableSecrets, resourceLimits }
  return { now: world.clock(), author, newId: () => newUuid(random), ...given }
}

async function runChange<O>(
  world: World,
  author: ChangeAuthor,
  tx: Tx,
  change: (moment: ChangeContext) => Promise<Outcome<O>>,
  guarded?: LoadedGuards,
): Promise<CommittedChange<O> | PipelinedResult<CommittedChange<O>>> {
  const moment = createChangeContext(world, author)
  const { now } = moment
  const { result, events: said, reviewed, stores, endsAccess } = await change(moment)
  if (said.length === 0) return { result, stored: [] }
  requireWithinLimits(moment.resourceLimits, said)
  const withdrawn = await withdrawGrants(tx, said)
  const all = [...said, ...(await switchOffWithoutStrategy(tx, said)), ...withdrawn.events]
  const events = [...all, ...(await enforceGuards(tx, author, all, { reviewed, guarded }))]
  world.storage?.charge(author, { events, stores, endsAccess })
  const changed = world.committedFlags && getChangedFlags(events)
  const answer = insertEvents(tx, author, events, now).then((stored) => ({
    result,
    stored,
    changed,
    lines: withdrawn.lines,
  }))
  return new PipelinedResult(answer, { hasEvents: true, changed })
}

/**
 * Returns the flags and environments whose SDK state the events change. Returns undefined if there are none, or if one
 * of the events affects anything other than one flag in one environment.
 */
function getChangedFlags(events: readonly NewEvent[]): ChangedFlags | undefined {
  const reaching = events.filter((event) => getAffectedEnvironments(event) !== null)
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
  { result, stored, changed, lines = [] }: CommittedChange<O>,
): Promise<O> {
  for (const line of lines) world.logger.warn(line)
  if (stored.length > 0) {
    world.onEvents?.(stored)
    world.security?.recordChanges(author, stored)
    world.debug?.(`Changed: ${stored.map(({ id, type }) => `${type} (${id})`).join(', ')}`)
    const forget = changed && world.committedFlags?.keep(stored, changed)
    await world.broadcast.publish(stored)
    forget?.()
  }
  return result
}

/**
 * Runs a write that is not part of the audit log (usage counters, last-seen times, sessions) in one transaction,
 * without events.
 */
export function record<T>(world: World, work: (tx: Tx) => Promise<T>): Promise<T> {
  return world.db.count(work)
}
