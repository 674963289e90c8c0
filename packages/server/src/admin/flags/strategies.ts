import { invalid, notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import type { StrategySegments } from '@burgee/protocol/targeting/segment'
import type { StrategyInput, UpdateStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type AppendPosition,
  deleteStrategy,
  insertStrategy,
  listStrategies,
  readAppendPosition,
  type StrategyRow,
  updateStrategy,
} from '@burgee/storage/queries/flags/strategies'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { findPlan, type PlanRow } from '@burgee/storage/queries/releases/release-plans'
import { readProjectsOfSegments } from '@burgee/storage/queries/targeting/segments'
import { hasStrategyType } from '@burgee/storage/queries/targeting/strategy-types'
import { type Change, type ChangeContext, type FlagChange, inOneStep, type Outcome } from '../../core/execute.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { readDefaultStrategy } from '../projects/default-strategy.ts'
import { checkConstraints } from '../targeting/constraints.ts'
import { fillParameters } from '../targeting/same-strategy.ts'
import { requireWellFormed } from '../targeting/well-formed.ts'
import {
  type FeatureEnvironmentRef,
  type FeatureRef,
  readFeatureEnvironment,
  requireFeatureEnvironment,
} from './feature-ref.ts'
import { toAdminStrategy } from './feature-views.ts'
import { requireReadablePayloads } from './payloads.ts'
import { arrangeVariants } from './variant-order.ts'
import { keepWeights, spreadWeights } from './weights.ts'

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
 * Replaces a strategy. Omitted name, title, disabled, parameters, segments and order keep their value; omitted
 * constraints and variants are removed. An unchanged strategy creates no event. Throws NotFoundError, ValidationError,
 * and ConflictError if the strategy would lose all constraints or segments and `allowEmpty` is not set. Source: wire
 * protocol
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

/** Replaces a strategy as one step of another change. */
export const replaceStrategy = inOneStep(strategyReplacement)

type Restrictions = { readonly constraints: readonly unknown[]; readonly segments: readonly number[] }

/** Returns the kind of restriction that a change would remove entirely; undefined if there is none. */
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
    `The flag "${ref.feature}" is on in the environment "${ref.environment}", and without ${lost} this strategy opens it ` +
      'to people whom it has kept out. Send allowEmpty=true if you want this.',
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
  const { strategy, index } = await requireStrategyWithIndex(tx, ref)
  await deleteStrategy(tx, strategy.id)
  const [preData, undo] = [toAdminStrategy(strategy), { index }]
  return { result: undefined, events: [buildStrategyEvent('feature-strategy-remove', ref, { preData, undo })] }
}

/** Returns a strategy of exactly this flag and environment. Throws NotFoundError. */
export async function requireStrategy(reader: Reader, ref: StrategyRef): Promise<StrategyRow> {
  return (await requireStrategyWithIndex(reader, ref)).strategy
}

/**
 * Returns a strategy of a flag. The flag may be archived, so changes must not use this function. Throws NotFoundError.
 */
export async function readStrategy(reader: Reader, ref: StrategyRef): Promise<StrategyRow> {
  return (await requireStrategyWithIndex(reader, ref, readFeatureEnvironment)).strategy
}

/**
 * Returns a strategy with its index in the flag's list of strategies. The index is needed because sort orders may be
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

/** Validated strategy, and its position after all other strategies of the flag. */
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

type StrategyColumns = Omit<StrategyRow, 'id' | 'feature_name' | 'environment' | 'created_at'>
type CheckedColumns = Omit<StrategyColumns, 'sort_order'> & Partial<StrategyColumns>

/**
 * Validates a strategy and returns it in stored form, with defaults for all omitted fields except the sort order.
 * Throws ValidationError, and NotFoundError for a missing segment.
 */
export async function checkStrategy(
  reader: Reader,
  ref: FeatureRef,
  body: StrategyInput,
  isAsGiven = false,
): Promise<CheckedColumns> {
  const { variants, ...parts } = await checkParts(reader, ref, body, { isAsGiven })
  const given = variants ?? []
  return {
    name: body.name,
    title: null,
    disabled: 0,
    parameters: {},
    constraints: [],
    segments: [],
    ...parts,
    variants: isAsGiven ? given : arrangeVariants(given),
  }
}

/** Returns a strategy after an edit. Omitted parts keep their value and are not validated. */
export async function editStrategy(
  reader: Reader,
  ref: FeatureRef,
  parts: UpdateStrategy,
  before: StrategyRow,
): Promise<StrategyRow> {
  const checked = await checkParts(reader, ref, { ...parts, name: parts.name ?? before.name }, { before })
  const variants = checked.variants && arrangeVariants(checked.variants, before.variants)
  return { ...before, ...checked, ...(variants && { variants }) }
}

/** Returns the given parts of a strategy in stored form. */
async function checkParts(
  reader: Reader,
  ref: FeatureRef,
  body: StrategyInput,
  { isAsGiven = false, before }: { readonly isAsGiven?: boolean; readonly before?: StrategyRow } = {},
): Promise<Partial<StrategyColumns>> {
  const { name, title, disabled, parameters, constraints, variants, sortOrder } = body
  const segments = body.segments && [...new Set(body.segments)].sort((a, b) => a - b)
  requireWellFormed({ title, parameters, variants }, 'body')
  if (!isAsGiven && variants !== undefined) requireReadablePayloads(variants, before?.variants)
  await inOneRoundTrip([requireStrategyType(reader, name), requireSegments(reader, ref.project, segments ?? [])])
  return {
    name,
    ...(title !== undefined && { title }),
    // null is neither true nor false, and must not enable a strategy
    ...(typeof disabled === 'boolean' && { disabled: Number(disabled) }),
    ...(parameters && { parameters: checkParameters({ feature: ref.feature, type: name, isAsGiven }, parameters) }),
    ...(constraints && { constraints: checkConstraints(constraints, { stored: before?.constraints, isAsGiven }) }),
    ...(variants && { variants: isAsGiven ? keepWeights(variants) : spreadWeights(variants) }),
    ...(segments && { segments }),
    ...(sortOrder !== undefined && { sort_order: sortOrder }),
  }
}

/**
 * Validates parameters and fills in defaults. The percentage of a gradual rollout must be a whole number. Source: wire
 * protocol
 */
function checkParameters(
  { feature, type, isAsGiven }: { readonly feature: string; readonly type: string; readonly isAsGiven: boolean },
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  requirePercent(PERCENTAGE_PARAMETERS.get(type), parameters)
  return isAsGiven ? { ...parameters } : fillParameters(feature, type, withTrimmedList(type, parameters))
}

/** Built-in strategies that match a list, with the name of the parameter that contains the list. */
const LIST_PARAMETERS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_STRATEGIES.flatMap((one) => ('list' in one ? [[one.name, one.list] as const] : [])),
)

/** Trims list items, because some SDKs compare them with surrounding blanks. */
function withTrimmedList(type: string, parameters: Readonly<Record<string, string>>): Record<string, string> {
  const list = LIST_PARAMETERS.get(type)
  const text = list === undefined ? undefined : parameters[list]
  if (list === undefined || text === undefined) return { ...parameters }
  const items = text.split(',').map((item) => item.trim())
  return { ...parameters, [list]: items.join(',') }
}

/** Built-in strategies that apply to a share of users, with the name of the parameter that contains the percentage. */
const PERCENTAGE_PARAMETERS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_STRATEGIES.flatMap((one) => ('percentage' in one ? [[one.name, one.percentage] as const] : [])),
)
const PERCENT = /^(?:\d|[1-9]\d|100)$/

function requirePercent(parameter: string | undefined, parameters: Readonly<Record<string, string>>): void {
  if (parameter === undefined || !Object.hasOwn(parameters, parameter)) return
  if (PERCENT.test(parameters[parameter] ?? '')) return
  throw invalid(`"${parameter}" must be a whole number from 0 to 100`, `body/parameters/${parameter}`)
}

async function requireStrategyType(reader: Reader, name: string): Promise<void> {
  if (!(await hasStrategyType(reader, name))) throw invalid(`There is no strategy "${name}".`, 'body/name')
}

/**
 * Throws unless strategies of a project are allowed to use the segments. Reports a segment of another private project
 * as missing, because the caller must not learn of that project.
 */
async function requireSegments(reader: Reader, project: string, ids: readonly number[]): Promise<void> {
  const projects = await readProjectsOfSegments(reader, ids)
  for (const id of ids) {
    const own = projects.get(id)
    if (own === null || own === project) continue
    if (own === undefined || (await listPrivateProjects(reader)).includes(own)) {
      throw notFound(`There is no segment with the id ${id}.`)
    }
    throw invalid(`The segment ${id} belongs to another project.`, 'body/segments')
  }
}

/** Builds the event for a change of one strategy. */
export function buildStrategyEvent(
  type: 'feature-strategy-add' | 'feature-strategy-update' | 'feature-strategy-remove',
  { project, feature, environment }: FeatureEnvironmentRef,
  states: { data?: unknown; preData?: unknown; undo?: unknown },
): NewEvent {
  return { type, project, environment, featureName: feature, ...states }
}
