import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { Constraint } from '@burgee/protocol/feature'
import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import type { StrategyInput, UpdateStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader } from '@burgee/storage/database'
import type { StrategyRow } from '@burgee/storage/queries/flags/strategies'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { readProjectsOfSegments } from '@burgee/storage/queries/targeting/segments'
import { hasStrategyType } from '@burgee/storage/queries/targeting/strategy-types'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { checkConstraints } from '../targeting/constraints.ts'
import { fillParameters } from '../targeting/same-strategy.ts'
import { requireWellFormed } from '../targeting/well-formed.ts'
import type { FeatureRef } from './feature-ref.ts'
import { requireReadablePayloads } from './payloads.ts'
import { arrangeVariants } from './variant-order.ts'
import { keepWeights, spreadWeights } from './weights.ts'

type StrategyColumns = Omit<StrategyRow, 'id' | 'feature_name' | 'environment' | 'created_at'>
/** Columns of a strategy after validation. */
export type CheckedColumns = Omit<StrategyColumns, 'sort_order'> & Partial<StrategyColumns>

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
  return toColumns(body, await checkParts(reader, ref, body, { isAsGiven }), isAsGiven)
}

/**
 * Does the same as `checkStrategy` for several strategies, with one query for each strategy type and one for all
 * segments.
 */
export async function checkStrategies(
  reader: Reader,
  ref: FeatureRef,
  bodies: readonly StrategyInput[],
): Promise<CheckedColumns[]> {
  for (const body of bodies) requireReadable(body)
  const types = [...new Set(bodies.map(({ name }) => name))]
  const segments = sortIds(bodies.flatMap((body) => body.segments ?? []))
  const checks = types.map((name) => requireStrategyType(reader, name))
  checks.push(requireSegments(reader, ref.project, segments))
  await inOneRoundTrip(checks)
  return bodies.map((body) => toColumns(body, toParts(ref, body)))
}

function toColumns(body: StrategyInput, checked: Partial<StrategyColumns>, isAsGiven = false): CheckedColumns {
  const { variants: given = [], ...parts } = checked
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

/**
 * Validates everything in a strategy that can be checked without a query, and returns the strategy in stored form.
 * Accepts the given stored constraints unchanged. Throws ValidationError.
 */
export function normalizeStrategy(
  ref: FeatureRef,
  body: StrategyInput,
  storedConstraints: readonly Constraint[],
): StrategyInput {
  requireReadable(body)
  const before = { constraints: storedConstraints, variants: [] }
  const { sort_order: _none, disabled, ...columns } = toColumns(body, toParts(ref, body, { before }))
  return { ...columns, disabled: disabled === 1 } as StrategyInput
}

/** Returns a strategy as it is after an edit. Omitted parts keep their value and are not validated. */
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

interface PartsOptions {
  readonly isAsGiven?: boolean
  /** Stored lists of the strategy before the edit. */
  readonly before?: { readonly constraints: readonly Constraint[]; readonly variants: StrategyRow['variants'] }
}

/** Returns the given parts of a strategy in stored form. */
async function checkParts(
  reader: Reader,
  ref: FeatureRef,
  body: StrategyInput,
  options: PartsOptions = {},
): Promise<Partial<StrategyColumns>> {
  requireReadable(body, options)
  const { name, segments = [] } = body
  await inOneRoundTrip([requireStrategyType(reader, name), requireSegments(reader, ref.project, sortIds(segments))])
  return toParts(ref, body, options)
}

function requireReadable(
  { title, parameters, variants }: StrategyInput,
  { isAsGiven = false, before }: PartsOptions = {},
): void {
  requireWellFormed({ title, parameters, variants }, 'body')
  if (!isAsGiven && variants !== undefined) requireReadablePayloads(variants, before?.variants)
}

function sortIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

function toParts(
  ref: FeatureRef,
  body: StrategyInput,
  { isAsGiven = false, before }: PartsOptions = {},
): Partial<StrategyColumns> {
  const { name, title, disabled, parameters, constraints, variants, sortOrder } = body
  const segments = body.segments && sortIds(body.segments)
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

/** Built-in strategies that match against a list, with the name of the parameter that contains the list. */
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

/**
 * Built-in strategies that apply to a percentage of users, with the name of the parameter that contains the percentage.
 */
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
 * Throws unless the project's strategies may use the segments. Reports a segment of another private project as missing,
 * because the caller must not learn of that project.
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
