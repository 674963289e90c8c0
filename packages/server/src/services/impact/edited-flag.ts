import { notFound } from '@burgee/kit/input/refusals'
import type { FlagEdit } from '@burgee/protocol/administration/impact'
import type { Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import type { Reader } from '../../store/database.ts'
import { isOn, readFlags, readSegments } from '../../store/document-flags.ts'
import { type StrategyRow, strategiesOf } from '../../store/features/strategies.ts'
import { type Actor, requireRight } from '../access/rights/rights.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from '../features/feature-ref.ts'
import { checkedStrategy, editedStrategy } from '../features/strategies.ts'
import { arrangeVariants } from '../features/variant-order.ts'
import { flagVariants } from '../features/weights.ts'
import { defaultStrategyFor, lacksStrategy } from '../projects/default-strategy.ts'

/** Flag as SDKs get it, before and after an edit, with its parents and segments. */
export interface EditedFlag {
  readonly before: Feature
  readonly after: Feature
  readonly parents: readonly Feature[]
  readonly segments: readonly Segment[]
}

type Running = Pick<StrategyRow, 'name' | 'parameters' | 'constraints' | 'variants' | 'segments' | 'disabled'>

/** Throws NoAccessError if the actor could not save the edit. */
export function requireRightToEdit(
  actor: Actor,
  { project, environment }: FeatureEnvironmentRef,
  edit: FlagEdit,
): void {
  const { strategy, removeStrategy, variants, enabled } = edit
  const needed = [
    ...(strategy === undefined ? [] : [strategy.id === undefined ? CREATE : 'UPDATE_FEATURE_STRATEGY']),
    ...(removeStrategy === undefined ? [] : ['DELETE_FEATURE_STRATEGY']),
    ...(variants === undefined ? [] : ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS']),
    ...(enabled === undefined ? [] : ['UPDATE_FEATURE_ENVIRONMENT']),
  ]
  for (const permission of needed) requireRight(actor, permission, { project, environment })
}

const CREATE = 'CREATE_FEATURE_STRATEGY'

/**
 * Returns a flag as SDKs get it now and as they would after an edit, without writing anything. Validates the edit in
 * the same way as saving it. Throws ValidationError, and NotFoundError for a missing flag, strategy or segment.
 */
export async function editedFlag(reader: Reader, ref: FeatureEnvironmentRef, edit: FlagEdit): Promise<EditedFlag> {
  const { feature: name, environment } = ref
  const state = await requireFeatureEnvironment(reader, ref)
  const stored = await strategiesOf(reader, name, environment)
  const [before] = await featuresNamed(reader, environment, [name])
  if (before === undefined) throw notFound(`There is no flag "${name}" in the environment "${environment}".`)
  const parents = (before.dependencies ?? []).map(({ feature }) => feature)
  const strategies = await editedStrategies(reader, ref, stored, edit)
  const running = strategies.filter(({ disabled }) => disabled === 0)
  const isEmptied = strategies !== stored && running.length === 0
  const isSwitchedOn = (edit.enabled ?? state.enabled === 1) && !isEmptied
  return {
    before,
    after: {
      ...before,
      enabled: isOn(isSwitchedOn, strategies.length, running.length),
      strategies: running.map(documentStrategy),
      variants: variantsAfter(edit.variants, state.variants),
    },
    parents: await featuresNamed(reader, environment, parents),
    segments: await readSegments(reader),
  }
}

function variantsAfter(edited: FlagEdit['variants'], stored: VariantDefinition[]): VariantDefinition[] {
  return edited === undefined ? stored : arrangeVariants(flagVariants(edited), stored)
}

async function featuresNamed(reader: Reader, environment: string, names: readonly string[]): Promise<Feature[]> {
  const found = await readFlags(reader, [environment], names)
  return (found.get(environment) ?? []).map(({ feature }) => feature)
}

/** Returns the strategies after an edit; the same array if the edit does not affect them. */
async function editedStrategies(
  reader: Reader,
  ref: FeatureEnvironmentRef,
  stored: readonly StrategyRow[],
  { strategy, removeStrategy, enabled }: FlagEdit,
): Promise<readonly Running[]> {
  let edited: readonly Running[] = stored
  if (removeStrategy !== undefined) {
    requireOneOf(stored, removeStrategy)
    edited = stored.filter(({ id }) => id !== removeStrategy)
  }
  if (strategy?.id !== undefined) {
    const { id, ...parts } = strategy
    const before = requireOneOf(stored, id)
    const { constraints = [], variants = [], ...kept } = parts
    const after = await editedStrategy(reader, ref, { constraints, variants, ...kept }, before)
    edited = stored
      .filter((one) => edited.includes(one))
      .map((one) => (one === before ? after : one))
      .toSorted(byPlace)
  } else if (strategy !== undefined) {
    edited = [...edited, await checkedStrategy(reader, ref, strategy)]
  }
  if (enabled !== true || !lacksStrategy(edited, false)) return edited
  return [...edited, await checkedStrategy(reader, ref, await defaultStrategyFor(reader, ref))]
}

function requireOneOf(stored: readonly StrategyRow[], id: string): StrategyRow {
  const found = stored.find((one) => one.id === id)
  if (found !== undefined) return found
  throw notFound(`There is no strategy with the id "${id}".`)
}

/**
 * Compares strategies by sort order, because an edit may move one. Strategies with equal sort orders keep their order.
 */
const byPlace = (a: StrategyRow, b: StrategyRow): number => a.sort_order - b.sort_order

function documentStrategy({ name, parameters, constraints, variants, segments }: Running): Strategy {
  return { name, parameters, constraints, variants, ...(segments.length === 0 ? {} : { segments }) }
}
