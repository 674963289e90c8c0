import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { StrategyRow } from '@burgee/storage/queries/flags/strategies'
import type { CheckedChange } from '../change-requests/change-actions.ts'
import { toStrategyInput } from '../flags/stored-strategy-input.ts'
import { areSameVariants, getStrategyKey, type StrategyParts } from '../targeting/same-strategy.ts'
import type { StateRows } from './flag-states.ts'

/** Target state of a flag in an environment; omitted parts stay unchanged. */
export interface TargetState {
  readonly enabled?: boolean | undefined
  readonly strategies?: readonly StrategyInput[] | undefined
  readonly variants?: readonly VariantInput[] | undefined
}

/** Converts a stored state to a target state for another environment. */
export function toTargetState({ enabled, strategies, variants }: StateRows): {
  [Part in keyof TargetState]-?: NonNullable<TargetState[Part]>
} {
  return { enabled, strategies: strategies.map(toTargetStrategy), variants: variants as VariantInput[] }
}

function toTargetStrategy(row: StrategyRow): StrategyInput {
  return { ...toStrategyInput(row), disabled: row.disabled === 1 }
}

/**
 * Returns the smallest set of changes that bring a flag to a target state. A target strategy that already exists stays
 * unchanged. Each remaining target strategy updates an existing strategy of the same type, or is added if there is no
 * such strategy. The remaining existing strategies are removed.
 *
 * If the flag has an enabled strategy before and after the changes, their order ensures that it always has one;
 * otherwise the flag would be disabled in between. If none of the strategies in `openBy` is enabled, leaves the flag
 * disabled, because enabling it would add a strategy for everyone.
 *
 * @param openBy strategies through which an enabled flag reaches users; they need not be part of the target state
 */
export function listChanges(
  feature: string,
  now: StateRows,
  wanted: TargetState,
  openBy: readonly StrategyInput[],
): readonly CheckedChange[] {
  const { enabled, strategies, variants } = wanted
  const rules = strategies === undefined ? [] : listStrategyChanges(feature, now.strategies, strategies)
  const isOther = variants !== undefined && !areSameVariants(now.variants, variants as VariantDefinition[])
  const others = isOther ? [...rules, toProposed('patchVariant', { variants: sortByWeight(variants) })] : rules
  if (enabled === undefined || enabled === now.enabled) return others
  if (!enabled) return [toProposed('updateEnabled', { enabled }), ...others]
  const isOpen = openBy.some(({ disabled }) => disabled !== true)
  return isOpen ? [...others, toProposed('updateEnabled', { enabled })] : others
}

function toProposed<A extends ChangeAction>(action: A, payload: CheckedChange<A>['payload']): CheckedChange {
  return { action, payload } as CheckedChange
}

/**
 * Sorts by weight. The first variable variants get the remainder of the weights, so the variants with the highest
 * weights must come first.
 */
function sortByWeight(variants: readonly VariantInput[]): VariantInput[] {
  return [...variants].sort((a, b) => b.weight - a.weight)
}

/**
 * Target strategy, and the existing strategy that it updates. The existing strategy is undefined if the target strategy
 * must be added.
 */
interface StrategyPair {
  readonly wanted: StrategyInput
  readonly mate: StrategyRow | undefined
  readonly isSame: boolean
}

/**
 * Adds `allowEmpty` to a change: the actor has seen the other environment, so the removal of all constraints or
 * segments is intended.
 */
function allowEmptying(
  { constraints = [], segments = [] }: StrategyInput,
  mate: StrategyRow,
): { readonly allowEmpty?: true } {
  const isEmptied = constraints.length === 0 && mate.constraints.length > 0
  return isEmptied || (segments.length === 0 && mate.segments.length > 0) ? { allowEmpty: true } : {}
}

function listStrategyChanges(
  feature: string,
  now: readonly StrategyRow[],
  wanted: readonly StrategyInput[],
): readonly CheckedChange[] {
  const pairs = pairStrategies(feature, now, wanted)
  const isSorted = isInOrder(pairs, now)
  const added: CheckedChange[] = []
  const updated: CheckedChange[] = []
  const moved: { id: string; sortOrder: number }[] = []
  for (const [place, { wanted: given, mate, isSame }] of pairs.entries()) {
    const { sortOrder: _, ...parts } = given
    const placed = isSorted ? parts : { ...parts, sortOrder: place }
    if (mate === undefined) added.push(toProposed('addStrategy', placed))
    else if (!isSame)
      updated.push(toProposed('updateStrategy', { ...placed, id: mate.id, ...allowEmptying(placed, mate) }))
    else if (!isSorted && mate.sort_order !== place) moved.push({ id: mate.id, sortOrder: place })
  }
  const kept = new Set(pairs.map(({ mate }) => mate))
  const removed = now.filter((row) => !kept.has(row)).map(({ id }) => toProposed('deleteStrategy', { id }))
  return [
    ...added,
    ...sortEnablingFirst(updated),
    ...(moved.length === 0 ? [] : [toProposed('reorderStrategy', moved)]),
    ...removed,
  ]
}

function sortEnablingFirst(updates: readonly CheckedChange[]): CheckedChange[] {
  const isDisabling = ({ payload }: CheckedChange) => Number((payload as { disabled?: boolean }).disabled === true)
  return [...updates].sort((a, b) => isDisabling(a) - isDisabling(b))
}

/** Pairs equal strategies first and the remaining ones by type, both in list order. Takes linear time. */
function pairStrategies(
  feature: string,
  now: readonly StrategyRow[],
  wanted: readonly StrategyInput[],
): StrategyPair[] {
  const alike = Map.groupBy(now, (row) => getStrategyKey(feature, row))
  const same = wanted.map((one) => alike.get(getStrategyKey(feature, one as StrategyParts))?.shift())
  const taken = new Set(same)
  const ofType = Map.groupBy(
    now.filter((row) => !taken.has(row)),
    ({ name }) => name,
  )
  return wanted.map((one, at) => ({
    wanted: one,
    mate: same[at] ?? ofType.get(one.name)?.shift(),
    isSame: same[at] !== undefined,
  }))
}

/** Returns true if the strategies that remain are already in the target order, with new strategies at the end. */
function isInOrder(pairs: readonly StrategyPair[], now: readonly StrategyRow[]): boolean {
  const placeOf = new Map(now.map((row, place) => [row, place]))
  const places = pairs.map(({ mate }) => (mate && placeOf.get(mate)) ?? now.length)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
}
