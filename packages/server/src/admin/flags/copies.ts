import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { CloneFeature, SortOrders } from '@burgee/protocol/batch'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listParents } from '@burgee/storage/queries/flags/dependencies'
import {
  type FeatureRow,
  filterDistinctVariants,
  listFeatureEnvironments,
} from '@burgee/storage/queries/flags/features'
import { copyDeclaredValue } from '@burgee/storage/queries/flags/flag-values'
import { listOverrideIds } from '@burgee/storage/queries/flags/self-targets'
import { insertStrategy, listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import type { Change } from '../../core/execute.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { addDependency } from './dependencies.ts'
import { type FeatureEnvironmentRef, type FeatureRef, requireFeatureEnvironment, requireLive } from './feature-ref.ts'
import { toAdminStrategy } from './feature-views.ts'
import { createFeature } from './features.ts'
import { copyVariants, setVariants } from './variants.ts'

/**
 * Copies a flag with its strategies, variants and parent. Leaves out overrides for single users. The copy is off in all
 * environments. Throws NotFoundError, ValidationError, NameExistsError, and InvalidOperationError if the project has
 * reached its limit of flags.
 */
export const cloneFeature: Change<FeatureRef & { body: CloneFeature }, FeatureRow> = async (
  tx,
  { body, ...from },
  context,
) => {
  const original = await requireLive(tx, from)
  const { name, replaceGroupId = true } = body
  const { type, description, impression_data } = original
  const features = { name, type, description, impressionData: impression_data === 1 }
  const { result, events: created } = await createFeature(tx, { project: from.project, body: features }, context)
  await copyDeclaredValue(tx, original.name, name)
  const events: NewEvent[] = [...created]
  const to = { project: from.project, feature: name }
  const overrides = await listOverrideIds(tx, original.name)
  const strategies = (await listStrategies(tx, original.name)).filter(({ id }) => !overrides.has(id))
  for (const [index, strategy] of strategies.entries()) {
    const groupId = strategy.parameters.groupId === undefined || !replaceGroupId ? {} : { groupId: name }
    const parameters = { ...strategy.parameters, ...groupId }
    const row = { ...strategy, id: context.newId(), feature_name: name, parameters, created_at: context.now }
    await insertStrategy(tx, row, context.now + index)
    const { environment } = strategy
    events.push({
      type: 'feature-strategy-add',
      project: from.project,
      environment,
      featureName: name,
      data: toAdminStrategy(row),
    })
  }
  for (const { environment, variants } of await listFeatureEnvironments(tx, original.name)) {
    const input = { ...to, environment, variants: variants as VariantInput[] }
    events.push(...(await copyVariants(tx, input, context)).events)
  }
  for (const { parent, enabled, variants } of await listParents(tx, original.name)) {
    const dependency = { feature: parent, enabled: enabled === 1, variants }
    events.push(...(await addDependency(tx, { ...to, body: dependency }, context)).events)
  }
  return { result, events }
}

/**
 * Sets the same variants in several environments, atomically (all environments or none). Throws NotFoundError,
 * ValidationError.
 */
export const setVariantsIn: Change<
  FeatureRef & { environments: readonly string[]; variants: readonly VariantInput[] },
  VariantDefinition[]
> = async (tx, { environments, variants, ...ref }, context) => {
  const events: NewEvent[] = []
  let result: VariantDefinition[] = []
  for (const environment of new Set(environments)) {
    const outcome = await setVariants(tx, { ...ref, environment, variants }, context)
    result = outcome.result
    events.push(...outcome.events)
  }
  return { result, events }
}

/**
 * Merges the variants that a flag has in all its environments, edits the merged list, and sets it in all environments
 * atomically. Throws NotFoundError, ValidationError, and errors of `edit`.
 */
export const changeVariantsEverywhere: Change<
  FeatureRef & { edit: (before: readonly VariantDefinition[]) => readonly VariantInput[] },
  VariantDefinition[]
> = async (tx, { edit, ...ref }, context) => {
  await requireLive(tx, ref)
  const states = await listFeatureEnvironments(tx, ref.feature)
  const variants = edit(filterDistinctVariants(states.flatMap((state) => state.variants)))
  return setVariantsIn(tx, { ...ref, environments: states.map(({ environment }) => environment), variants }, context)
}

/**
 * Reorders the strategies of a flag in an environment. An unchanged order creates no event. Throws NotFoundError, and
 * ValidationError for a strategy that is named twice.
 */
export const sortStrategies: Change<FeatureEnvironmentRef & { body: SortOrders }, void> = async (
  tx,
  { body, ...ref },
) => {
  const [, own] = await inOneRoundTrip([
    requireFeatureEnvironment(tx, ref),
    listStrategies(tx, ref.feature, ref.environment),
  ])
  const orders = new Map(own.map((strategy) => [strategy.id, strategy.sort_order]))
  for (const { id } of body) if (!orders.has(id)) throw notFound(`There is no strategy with the id "${id}".`)
  if (new Set(body.map(({ id }) => id)).size < body.length) throw invalid('A strategy is listed twice', 'body')
  const changes = body.filter(({ id, sortOrder }) => orders.get(id) !== sortOrder)
  if (changes.length === 0) return { result: undefined, events: [] }
  for (const { id, sortOrder } of changes) {
    await tx.updateTable('feature_strategies').set({ sort_order: sortOrder }).where('id', '=', id).execute()
  }
  const { project, feature, environment } = ref
  const states = {
    data: toStrategyOrder(await listStrategies(tx, feature, environment)),
    preData: toStrategyOrder(own),
  }
  return {
    result: undefined,
    events: [{ type: 'strategy-order-changed', project, environment, featureName: feature, ...states }],
  }
}

function toStrategyOrder(strategies: readonly StrategyRow[]) {
  return {
    strategyIds: strategies.map(({ id }) => id),
    strategies: strategies.map(({ id, sort_order }) => ({ id, sortOrder: sort_order })),
  }
}
