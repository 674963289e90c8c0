import type { Reader, Tx } from '@burgee/storage/database'
import { type Author, insertEvents, type NewEvent, type StoredEvent } from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { PipelinedResult } from '@burgee/storage/transactions/pipelined-result'
import { enforceGuards, type Guards, loadGuards, UNREAD_GUARDS } from '../admin/change-requests/guard.ts'
import { recordDrift } from '../admin/config/drift.ts'
import { switchOffWithoutStrategy } from '../admin/flags/last-enabled-strategy.ts'
import { withdrawGrants } from '../admin/integrations/project-grants.ts'
import { requireWithinLimits } from '../admin/targeting/strategy-limits.ts'
import type { ChangeAuthor } from './access/rights/rights.ts'
import { requireCollectionLimits } from './collection-limits.ts'
import { inOneRoundTrip } from './in-one-round-trip.ts'
import type { OriginIndex } from './managed-objects.ts'
import { type ConfiguredLimits, DEFAULT_LIMITS } from './resource-limits.ts'
import type { StoringChange } from './storage-budget.ts'
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
  /** Number of bytes that the change stores in addition to its events; undefined if callers cannot influence it. */
  readonly stores?: number
  /** True if the change revokes access. The storage budget never rejects a change that revokes access. */
  readonly endsAccess?: true
  /**
   * True for a change that must not fail because a list is full: the trip of a safeguard, or the progress of a release
   * plan. The limits on list lengths do not apply to it.
   */
  readonly isUnlimited?: true
  /**
   * Environments in which the change was reviewed, with their projects. Set if an approved change request makes the
   * change.
   */
  readonly reviewed?: readonly ProjectEnvironmentKey[] | undefined
  /** True if files in a repository describe the result of the change, so that it is no change by hand. */
  readonly isFromFiles?: boolean
}

/**
 * Function that reads and writes state in `tx` and returns its events. The function never commits or publishes, and has
 * no access to HTTP.
 */
export type Change<I, O> = (tx: Tx, input: I, context: ChangeContext) => Promise<Outcome<O>>

/**
 * Change to one flag in two steps: a query and a write. The steps use no data of other flags, so the query can run
 * while changes to other flags are being written.
 */
export interface FlagChange<I, K, O> {
  readonly read: (reader: Reader, input: I) => Promise<K>
  readonly write: (tx: Tx, input: I, context: ChangeContext, known: K) => Promise<Outcome<O>>
}

/** Combines the two steps of a `FlagChange` into one change: first the query, then the write. */
export function inOneStep<I, K, O>({ read, write }: FlagChange<I, K, O>): Change<I, O> {
  return async (tx, input, context) => write(tx, input, context, await read(tx, input))
}

/**
 * Creates a change that makes the given change and returns a view of its result. The view is read in the same
 * transaction. If the view were read after the commit and this read failed, a committed change would be reported as
 * failed.
 */
export function withView<I, O, V>(change: Change<I, O>, view: (tx: Tx, result: O) => Promise<V>): Change<I, V> {
  return async (tx, input, context) => {
    const { result, ...outcome } = await change(tx, input, context)
    return { ...outcome, result: await view(tx, result) }
  }
}

/** Result of a change, and the events to publish after the commit. */
interface CommittedChange<O> {
  readonly result: O
  readonly events: readonly StoredEvent[]
  /** Lines for the operator's log. */
  readonly warnings: readonly string[]
}

/**
 * Runs an admin write. This is the only entry point for admin writes.
 *
 * State and events are committed together under the writer lock, or not at all. Subscribers are notified after the
 * commit and cannot undo it. Two rules apply to all changes. If a change leaves a flag enabled in an environment
 * without an enabled strategy, the flag is disabled in this environment. Protected environments, which require change
 * requests, reject direct changes.
 *
 * Throws the errors of the change, and NoAccessError for direct changes in protected environments.
 */
export async function execute<I, O>(world: World, author: ChangeAuthor, change: Change<I, O>, input: I): Promise<O> {
  const charge = createCharge(world, author)
  const origins = await readOrigins(world, author)
  const committed = await world.db.write((tx) =>
    runChange({ world, author, charge, tx, guards: UNREAD_GUARDS, origins }, (context) => change(tx, input, context)),
  )
  await publish(world, author, committed)
  return committed.result
}

/**
 * Executes a change to one flag; otherwise the same as `execute`. The query may run before other changes have been
 * written, together with the read of the change-request guards.
 */
export async function executeFlagChange<I extends FlagRef, K, O>(
  world: World,
  author: ChangeAuthor,
  { read, write }: FlagChange<I, K, O>,
  input: I,
): Promise<O> {
  const readAll = (reader: Reader) =>
    inOneRoundTrip<readonly [K, Guards]>([read(reader, input), loadGuards(reader, author, [input.project])])
  const charge = createCharge(world, author)
  const origins = await readOrigins(world, author)
  const committed = await world.db.write<CommittedChange<O>, readonly [K, Guards]>(
    async (tx, known = readAll(tx)) => {
      const [before, guards] = await known
      return runChange({ world, author, charge, tx, guards, origins }, (context) => write(tx, input, context, before))
    },
    { subject: input.feature, read: readAll },
  )
  await publish(world, author, committed)
  return committed.result
}

/** Name of the flag to change, and the project that the flag belongs to according to the caller. */
interface FlagRef {
  readonly project: string
  readonly feature: string
}

/**
 * Performs a dry run: applies the change, reads a result with `look`, then always rolls back. Throws the errors of the
 * change and of the limits on list lengths. Does not enforce change-request protection.
 */
export async function dryRun<I, O, T>(
  world: World,
  author: ChangeAuthor,
  change: Change<I, O>,
  { input, look }: { readonly input: I; readonly look: (tx: Tx) => Promise<T> },
): Promise<T> {
  try {
    return await world.db.write(async (tx): Promise<T> => {
      const context = createChangeContext(world, author)
      const { events } = await change(tx, input, context)
      await requireLimits(tx, context, events)
      throw new DryRunRollback(await look(tx))
    })
  } catch (error) {
    if (error instanceof DryRunRollback) return error.result as T
    throw error
  }
}

/**
 * Reads the origins of managed objects from memory, before the transaction. Returns undefined for the server itself,
 * whose schedules follow the files.
 */
async function readOrigins(world: World, author: ChangeAuthor): Promise<OriginIndex | undefined> {
  return author.isSystem ? undefined : world.flagOrigins?.current()
}

/**
 * Performs a dry run with all rules of `execute`, including change-request protection. Returns the result, and the
 * events that `execute` would write. Publishes nothing and always rolls back. Throws the errors of `execute`.
 */
export async function rehearse<I, O>(
  world: World,
  author: ChangeAuthor,
  change: Change<I, O>,
  input: I,
): Promise<Pick<CommittedChange<O>, 'result' | 'events'>> {
  const origins = await readOrigins(world, author)
  try {
    return await world.db.write(async (tx): Promise<CommittedChange<O>> => {
      const execution = { world, author, charge: () => {}, tx, guards: UNREAD_GUARDS, origins }
      const run = await runChange(execution, (context) => change(tx, input, context))
      throw new DryRunRollback(run instanceof PipelinedResult ? await run.answer : run)
    })
  } catch (error) {
    if (error instanceof DryRunRollback) return error.result as CommittedChange<O>
    throw error
  }
}

/** Thrown to roll back a dry run. */
class DryRunRollback extends Error {
  override readonly name = 'DryRunRollback'
  readonly result: unknown

  constructor(result: unknown) {
    super('Tried and rolled back')
    this.result = result
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

/** Returns a function that charges the change to its author only once, even if it is run several times. */
function createCharge({ storage }: World, author: ChangeAuthor): (stored: StoringChange) => void {
  let isCharged = false
  return (stored) => {
    if (!isCharged) storage?.charge(author, stored)
    isCharged = true
  }
}

/** Transaction, author and change-request guards of one change. */
interface Execution {
  readonly world: World
  readonly author: ChangeAuthor
  readonly charge: (stored: StoringChange) => void
  readonly tx: Tx
  readonly guards: Guards
  /** Origins of managed objects; undefined if changes by this author are never drift. */
  readonly origins: OriginIndex | undefined
}

/** Runs a change in its transaction, enforces the rules that apply to all changes, and writes the events. */
async function runChange<O>(
  { world, author, charge, tx, guards, origins }: Execution,
  change: (context: ChangeContext) => Promise<Outcome<O>>,
): Promise<CommittedChange<O> | PipelinedResult<CommittedChange<O>>> {
  const context = createChangeContext(world, author)
  const { result, events: own, reviewed, stores, endsAccess, isUnlimited, isFromFiles } = await change(context)
  if (own.length === 0) return { result, events: [], warnings: [] }
  const [, withdrawn, drift] = await inOneRoundTrip([
    isUnlimited === true ? Promise.resolve() : requireLimits(tx, context, own),
    withdrawGrants(tx, own),
    isFromFiles === true ? Promise.resolve([]) : recordDrift(tx, { events: own, now: context.now, origins }),
  ])
  const all = [...own, ...(await switchOffWithoutStrategy(tx, own, context.now)), ...withdrawn.events]
  const events = [...all, ...(await enforceGuards(tx, author, all, { reviewed, guards })), ...drift]
  charge({ events, stores, endsAccess })
  const stored = insertEvents(tx, author, events, context.now)
  return new PipelinedResult(stored.then((own) => ({ result, events: own, warnings: withdrawn.lines })))
}

/** Rejects changes that would make a list longer than allowed. Throws ValidationError. */
async function requireLimits(
  tx: Tx,
  { resourceLimits }: Pick<ChangeContext, 'resourceLimits'>,
  events: readonly NewEvent[],
): Promise<void> {
  requireWithinLimits(resourceLimits, events)
  await requireCollectionLimits(tx, resourceLimits, events)
}

/** Reports a committed change to the operator, the security log, and the subscribers of events. */
async function publish(world: World, author: Author, { events, warnings }: CommittedChange<unknown>): Promise<void> {
  for (const line of warnings) world.logger.warn(line)
  if (events.length === 0) return
  world.onEvents?.(events)
  world.security?.recordChanges(author, events)
  world.debug?.(`Changed: ${events.map(({ id, type }) => `${type} (${id})`).join(', ')}`)
  await world.broadcast.publish(events)
}

/**
 * Runs a write that is not part of the audit log (usage counters, last-seen times, sessions) in one transaction,
 * without events.
 */
export function record<T>(world: World, work: (tx: Tx) => Promise<T>): Promise<T> {
  return world.db.count(work)
}
