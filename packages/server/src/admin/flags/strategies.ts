import { notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { StrategySegments } from '@burgee/protocol/targeting/segment'
import type { StrategyInput, UpdateStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listOverridesAmong } from '@burgee/storage/queries/flags/self-targets'
import {
  type AppendPosition,
  deleteStrategy,
  insertStrategy,
  listStrategies,
  readAppendPosition,
  type StrategyRow,
  updateStrategy,
} from '@burgee/storage/queries/flags/strategies'
import { findPlan, type PlanRow } from '@burgee/storage/queries/releases/release-plans'
import { type Change, type ChangeContext, type FlagChange, inOneStep, type Outcome } from '../../core/execute.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { readDefaultStrategy } from '../projects/default-strategy.ts'
import { type FeatureEnvironmentRef, readFeatureEnvironment, requireFeatureEnvironment } from './feature-ref.ts'
import { toAdminStrategy } from './feature-views.ts'
import { type CheckedColumns, checkStrategy, editStrategy } from './strategy-checks.ts'

/** Strategy of a flag in an environment. */
export interface StrategyRef extends FeatureEnvironmentRef {
  readonly id: string
}

/** New strategy for a flag in an environment. */
export interface NewStrategy extends FeatureEnvironmentRef {
  readonly body: StrategyInput
  /**
   * True to keep parameters, weights and the order of variants as given. Imports need this, because changed values
   * would assign users to other variants.
   */
  readonly isAsGiven?: boolean
}

/** Adds a strategy. Throws NotFoundError if the flag, the environment or a segment is missing, and ValidationError. */
export const addStrategy: Change<NewStrategy, StrategyRow> = async (tx, { body, isAsGiven, ...ref }, context) => {
  const [, position, columns] = await inOneRoundTrip([
    requireFeatureEnvironment(tx, ref),
    readAppendPosition(tx, ref),
    checkStrategy(tx, ref, body, isAsGiven),
  ])
  return appendStrategy(tx, { ref, position, columns }, context)
}

/** New state of a strategy. With `allowEmpty`, all constraints or all segments can be removed while the flag is on. */
export interface StrategyReplacement extends StrategyRef {
  readonly body: UpdateStrategy
  readonly allowEmpty?: boolean | undefined
}

/**
 * Replaces a strategy. If name, title, disabled, parameters, segments or order are omitted, they keep their value;
 * omitted constraints and variants are removed. An unchanged strategy creates no event. Throws NotFoundError,
 * ValidationError, and ConflictError if the strategy would lose all constraints or segments and `allowEmpty` is not
 * set. Source: wire protocol
 */
export const strategyReplacement: FlagChange<StrategyReplacement, StrategyRow, StrategyRow> = {
  read: requireStrategy,
  write: async (tx, { body, allowEmpty = false, ...ref }, _moment, before) => {
    const { constraints = [], variants = [], ...kept } = body
    const disabled = typeof body.disabled === 'boolean' ? body.disabled : before.disabled === 1
    const lost = findLostRestrictions(before, { constraints, segments: kept.segments ?? before.segments })
    if (lost !== undefined && !disabled && !allowEmpty) await rejectOpening(tx, ref, lost)
    return changeStrategy(tx, ref, { constraints, variants, ...kept }, before)
  },
}

/** Replaces a strategy while another change is being applied. */
export const replaceStrategy = inOneStep(strategyReplacement)

type Restrictions = { readonly constraints: readonly unknown[]; readonly segments: readonly number[] }

/**
 * Returns the kind of restriction (constraints or segments) that a change would remove entirely; undefined if there is
 * none.
 */
function findLostRestrictions(before: Restrictions, after: Restrictions): 'constraints' | 'segments' | undefined {
  if (before.constraints.length > 0 && after.constraints.length === 0) return 'constraints'
  return before.segments.length > 0 && after.segments.length === 0 ? 'segments' : undefined
}

/**
 * Throws ConflictError if the flag is on: without these constraints or segments, the flag would be on for more users.
 */
async function rejectOpening(tx: Tx, ref: StrategyRef, lost: 'constraints' | 'segments'): Promise<void> {
  const { enabled } = await requireFeatureEnvironment(tx, ref)
  if (enabled !== 1) return
  throw new Problem(
    'ConflictError',
    `The flag "${ref.feature}" is on in the environment "${ref.environment}", and without ${lost} this strategy would turn it ` +
      'on for users who do not have it now. Send allowEmpty=true to confirm.',
  )
}

/** Changes parts of a strategy. Omitted parts keep their value and are not validated. */
async function changeStrategy(
  tx: Tx,
  ref: StrategyRef,
  parts: UpdateStrategy,
  before: StrategyRow,
): Promise<{ result: StrategyRow; events: NewEvent[] }> {
  const after = await editStrategy(tx, ref, parts, before)
  const states = { data: toAdminStrategy(after), preData: toAdminStrategy(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: before, events: [] }
  const undo =
    after.sort_order === before.sort_order ? undefined : { index: (await requireStrategyWithIndex(tx, ref)).index }
  await updateStrategy(tx, after, before)
  return { result: after, events: [buildStrategyEvent('feature-strategy-update', ref, { ...states, undo })] }
}

/**
 * Sets the segments of a strategy. An unchanged list creates no event. Throws NotFoundError if the strategy or a
 * segment does not exist, and ValidationError for a segment of another project. Throws ConflictError if the strategy
 * would lose all segments and `allowEmpty` is not set.
 */
export const setStrategySegments: Change<
  StrategySegments & Pick<StrategyReplacement, 'allowEmpty'>,
  StrategyRow
> = async (tx, body) => {
  const { strategyId: id, projectId: project, environmentId: environment, segmentIds } = body
  const place = await tx
    .selectFrom('feature_strategies')
    .innerJoin('features', 'features.name', 'feature_strategies.feature_name')
    .select(['feature_name', 'environment', 'project'])
    .where('feature_strategies.id', '=', id)
    .executeTakeFirst()
  // the error must not name the flag, which may belong to a project that is hidden from the caller
  if (place?.environment !== environment || place.project !== project) throw createStrategyNotFound(id)
  const ref = { project, feature: place.feature_name, environment, id }
  const before = await requireStrategy(tx, ref)
  const isEmptied = segmentIds.length === 0 && before.segments.length > 0
  if (isEmptied && before.disabled === 0 && body.allowEmpty !== true) await rejectOpening(tx, ref, 'segments')
  return changeStrategy(tx, ref, { segments: [...segmentIds] }, before)
}

/** Removes a strategy. Throws NotFoundError. */
export const removeStrategy: Change<StrategyRef, void> = async (tx, ref) => {
  const [{ strategy, index }, overrides] = await inOneRoundTrip([
    requireStrategyWithIndex(tx, ref),
    listOverridesAmong(tx, [ref.id]),
  ])
  await deleteStrategy(tx, strategy.id)
  const states = { preData: toAdminStrategy(strategy), undo: { index } }
  const event = buildStrategyEvent('feature-strategy-remove', ref, states)
  return { result: undefined, events: [overrides.size === 0 ? event : { ...event, isOverride: true }] }
}

/**
 * Returns a strategy of the given flag in the given environment, for use in changes. The flag must not be archived.
 * Throws NotFoundError.
 */
export async function requireStrategy(reader: Reader, ref: StrategyRef): Promise<StrategyRow> {
  return (await requireStrategyWithIndex(reader, ref)).strategy
}

/**
 * Returns a strategy of the given flag in the given environment. The flag may be archived, so changes must not use this
 * function. Throws NotFoundError.
 */
export async function readStrategy(reader: Reader, ref: StrategyRef): Promise<StrategyRow> {
  return (await requireStrategyWithIndex(reader, ref, readFeatureEnvironment)).strategy
}

/**
 * Returns a strategy and its index in the flag's list of strategies. The index is needed because sort orders may be
 * equal. Throws NotFoundError. For use in changes, also throws ConflictError if the strategy belongs to a release plan.
 */
async function requireStrategyWithIndex(
  reader: Reader,
  ref: StrategyRef,
  requireState: typeof readFeatureEnvironment = requireFeatureEnvironment,
): Promise<{ strategy: StrategyRow; index: number }> {
  const [, own, plan] = await inOneRoundTrip([
    requireState(reader, ref),
    listStrategies(reader, ref.feature, ref.environment),
    requireState === requireFeatureEnvironment ? findPlan(reader, ref) : Promise.resolve(undefined),
  ])
  const index = own.findIndex(({ id }) => id === ref.id)
  const strategy = own[index]
  if (strategy === undefined) throw createStrategyNotFound(ref.id)
  if (plan?.milestones.some(({ strategies }) => strategies.some(({ id }) => id === ref.id))) throw createOfPlan(plan)
  return { strategy, index }
}

function createOfPlan({ name }: Pick<PlanRow, 'name'>): Problem {
  const text = `The strategy belongs to the release plan "${name}". Start another milestone or remove the plan instead.`
  return new Problem('ConflictError', text)
}

function createStrategyNotFound(id: string) {
  return notFound(`There is no strategy with the id "${id}".`)
}

/**
 * Adds a strategy to a flag that is turned on without a strategy: the default strategy of the project in the
 * environment or, if there is no default, a strategy for everyone.
 */
export async function addDefaultStrategy(
  tx: Tx,
  ref: FeatureEnvironmentRef,
  context: ChangeContext,
): Promise<Outcome<StrategyRow>> {
  const body = await readDefaultStrategy(tx, ref)
  const [position, columns] = await inOneRoundTrip([readAppendPosition(tx, ref), checkStrategy(tx, ref, body)])
  return appendStrategy(tx, { ref, position, columns }, context)
}

/** Enables all disabled strategies of a flag in an environment. */
export async function enableStrategies(
  tx: Tx,
  ref: FeatureEnvironmentRef,
  disabled: readonly StrategyRow[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const before of disabled) {
    events.push(...(await changeStrategy(tx, { ...ref, id: before.id }, { disabled: false }, before)).events)
  }
  return events
}

/** Validated strategy, with the sort position after all other strategies of the flag. */
interface CheckedStrategy {
  readonly ref: FeatureEnvironmentRef
  readonly position: AppendPosition
  readonly columns: CheckedColumns
}

async function appendStrategy(
  tx: Tx,
  { ref, position, columns }: CheckedStrategy,
  context: ChangeContext,
): Promise<Outcome<StrategyRow>> {
  const row: StrategyRow = {
    id: context.newId(),
    feature_name: ref.feature,
    environment: ref.environment,
    created_at: context.now,
    sort_order: position.sortOrder,
    ...columns,
  }
  await insertStrategy(tx, row, position.earliest)
  return { result: row, events: [buildStrategyEvent('feature-strategy-add', ref, { data: toAdminStrategy(row) })] }
}

/** Builds the event for a change to one strategy. */
export function buildStrategyEvent(
  type: 'feature-strategy-add' | 'feature-strategy-update' | 'feature-strategy-remove',
  { project, feature, environment }: FeatureEnvironmentRef,
  states: { data?: unknown; preData?: unknown; undo?: unknown },
): NewEvent {
  return { type, project, environment, featureName: feature, ...states }
}
