import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { FlagEdit } from '@burgee/protocol/administration/impact'
import type { Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import type { Reader } from '@burgee/storage/database'
import { isOn, readFlags, readSegments } from '@burgee/storage/document-flags'
import { listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import { type Actor, requirePermission } from '../../core/access/rights/rights.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from '../flags/feature-ref.ts'
import { checkStrategy, editStrategy } from '../flags/strategy-checks.ts'
import { arrangeVariants } from '../flags/variant-order.ts'
import { toFlagVariants } from '../flags/weights.ts'
import { lacksStrategy, readDefaultStrategy } from '../projects/default-strategy.ts'

/** Flag before and after an edit, in the form that SDKs receive, with its parents and segments. */
export interface EditedFlag {
  readonly before: Feature
  readonly after: Feature
  readonly parents: readonly Feature[]
  readonly segments: readonly Segment[]
}

type EditedStrategy = Pick<StrategyRow, 'name' | 'parameters' | 'constraints' | 'variants' | 'segments' | 'disabled'>

/** Throws NoAccessError if the actor is not allowed to save the edit. */
export function requireEditPermission(
  actor: Actor,
  { project, environment }: FeatureEnvironmentRef,
  edit: FlagEdit,
): void {
  const { strategy, removeStrategy, strategies, variants, enabled } = edit
  const needed = [
    ...(strategies === undefined ? [] : [CREATE, 'UPDATE_FEATURE_STRATEGY', 'DELETE_FEATURE_STRATEGY']),
    ...(strategy === undefined ? [] : [strategy.id === undefined ? CREATE : 'UPDATE_FEATURE_STRATEGY']),
    ...(removeStrategy === undefined ? [] : ['DELETE_FEATURE_STRATEGY']),
    ...(variants === undefined ? [] : ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS']),
    ...(enabled === undefined ? [] : ['UPDATE_FEATURE_ENVIRONMENT']),
  ]
  for (const permission of needed) requirePermission(actor, permission, { project, environment })
}

const CREATE = 'CREATE_FEATURE_STRATEGY'

/**
 * Returns a flag as SDKs get it now, and as SDKs would get it after an edit, without writing anything. Validates the
 * edit in the same way as saving it. Throws ValidationError, and NotFoundError for a missing flag, strategy or segment.
 */
export async function readEditedFlag(reader: Reader, ref: FeatureEnvironmentRef, edit: FlagEdit): Promise<EditedFlag> {
  const { feature: name, environment } = ref
  const state = await requireFeatureEnvironment(reader, ref)
  const stored = await listStrategies(reader, name, environment)
  const [before] = await readFeatures(reader, environment, [name])
  if (before === undefined) throw notFound(`There is no flag "${name}" in the environment "${environment}".`)
  const parents = (before.dependencies ?? []).map(({ feature }) => feature)
  const strategies = await editStrategies(reader, ref, stored, edit)
  const running = strategies.filter(({ disabled }) => disabled === 0)
  const isEmptied = strategies !== stored && running.length === 0
  const isSwitchedOn = (edit.enabled ?? state.enabled === 1) && !isEmptied
  return {
    before,
    after: {
      ...before,
      enabled: isOn(isSwitchedOn, strategies.length, running.length),
      strategies: running.map(toDocumentStrategy),
      variants: getEditedVariants(edit.variants, state.variants),
    },
    parents: await readFeatures(reader, environment, parents),
    segments: await readSegments(reader),
  }
}

function getEditedVariants(edited: FlagEdit['variants'], stored: VariantDefinition[]): VariantDefinition[] {
  return edited === undefined ? stored : arrangeVariants(toFlagVariants(edited), stored)
}

async function readFeatures(reader: Reader, environment: string, names: readonly string[]): Promise<Feature[]> {
  const found = await readFlags(reader, [environment], names)
  return (found.get(environment) ?? []).map(({ feature }) => feature)
}

/** Returns the strategies after an edit. If the edit does not affect strategies, returns the same array. */
async function editStrategies(
  reader: Reader,
  ref: FeatureEnvironmentRef,
  stored: readonly StrategyRow[],
  { strategy, removeStrategy, strategies, enabled }: FlagEdit,
): Promise<readonly EditedStrategy[]> {
  let edited: readonly EditedStrategy[] = stored
  if (strategies !== undefined) {
    if (strategy !== undefined || removeStrategy !== undefined) {
      throw invalid('strategies cannot be combined with strategy or removeStrategy.', 'body/strategies')
    }
    edited = await checkStrategies(reader, ref, strategies)
  }
  if (removeStrategy !== undefined) {
    requireStrategy(stored, removeStrategy)
    edited = stored.filter(({ id }) => id !== removeStrategy)
  }
  if (strategy?.id !== undefined) {
    const { id, ...parts } = strategy
    const before = requireStrategy(stored, id)
    const { constraints = [], variants = [], ...kept } = parts
    const after = await editStrategy(reader, ref, { constraints, variants, ...kept }, before)
    edited = stored
      .filter((one) => edited.includes(one))
      .map((one) => (one === before ? after : one))
      .toSorted(compareSortOrders)
  } else if (strategy !== undefined) {
    edited = [...edited, await checkStrategy(reader, ref, strategy)]
  }
  if (enabled !== true || !lacksStrategy(edited, false)) return edited
  return [...edited, await checkStrategy(reader, ref, await readDefaultStrategy(reader, ref))]
}

async function checkStrategies(
  reader: Reader,
  ref: FeatureEnvironmentRef,
  inputs: NonNullable<FlagEdit['strategies']>,
): Promise<readonly EditedStrategy[]> {
  const checked: EditedStrategy[] = []
  for (const input of inputs) checked.push(await checkStrategy(reader, ref, input))
  return checked
}

function requireStrategy(stored: readonly StrategyRow[], id: string): StrategyRow {
  const found = stored.find((one) => one.id === id)
  if (found !== undefined) return found
  throw notFound(`There is no strategy with the id "${id}".`)
}

/**
 * Compares strategies by sort order, because an edit can move a strategy. Strategies with equal sort orders keep their
 * order.
 */
const compareSortOrders = (a: StrategyRow, b: StrategyRow): number => a.sort_order - b.sort_order

function toDocumentStrategy({ name, parameters, constraints, variants, segments }: EditedStrategy): Strategy {
  return { name, parameters, constraints, variants, ...(segments.length === 0 ? {} : { segments }) }
}
