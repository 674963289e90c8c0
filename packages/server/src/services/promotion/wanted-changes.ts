import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { StrategyRow } from '../../store/features/strategies.ts'
import type { Proposed } from '../change-requests/actions.ts'
import { areSameVariants, type StrategyParts, strategyKey } from '../targeting/same-strategy.ts'
import type { StateRows } from './flag-states.ts'

/** Target state of a flag in an environment; omitted parts stay unchanged. */
export interface WantedState {
  readonly enabled?: boolean | undefined
  readonly strategies?: readonly StrategyInput[] | undefined
  readonly variants?: readonly VariantInput[] | undefined
}

/** Converts a state to a target state for another environment. */
export function wantedOf({ enabled, strategies, variants }: StateRows): {
  [Part in keyof WantedState]-?: NonNullable<WantedState[Part]>
} {
  return { enabled, strategies: strategies.map(inputOf), variants: variants as VariantInput[] }
}

function inputOf({ name, title, disabled, parameters, constraints, segments, variants }: StrategyRow): StrategyInput {
  const parts = { name, title, disabled: disabled === 1, parameters, segments }
  return {
    ...parts,
    constraints: constraints as StrategyInput['constraints'] & object,
    variants: variants as VariantInput[],
  }
}

/**
 * Returns the fewest changes that bring a flag to a target state. A target strategy that already exists stays
 * unchanged. Each other target strategy updates an existing strategy of the same type, or is added if there is none.
 * Remaining existing strategies are removed. If the flag has an enabled strategy before and after, the order of the
 * changes ensures that it always has one, because it would be disabled otherwise. The flag is not enabled if none of
 * the strategies in `openBy` is enabled, because it would get a strategy for everyone.
 *
 * @param openBy the strategies that make an enabled flag effective, whether or not they are part of the target state
 */
export function changesTowards(
  feature: string,
  now: StateRows,
  wanted: WantedState,
  openBy: readonly StrategyInput[],
): readonly Proposed[] {
  const { enabled, strategies, variants } = wanted
  const rules = strategies === undefined ? [] : strategyChanges(feature, now.strategies, strategies)
  const isOther = variants !== undefined && !areSameVariants(now.variants, variants as VariantDefinition[])
  const others = isOther ? [...rules, change('patchVariant', { variants: heaviestFirst(variants) })] : rules
  if (enabled === undefined || enabled === now.enabled) return others
  if (!enabled) return [change('updateEnabled', { enabled }), ...others]
  const isOpen = openBy.some(({ disabled }) => disabled !== true)
  return isOpen ? [...others, change('updateEnabled', { enabled })] : others
}

function change<A extends ChangeAction>(action: A, payload: Proposed<A>['payload']): Proposed {
  return { action, payload } as Proposed
}

/**
 * Sorts by weight. The first variable variants get the remainder of the weights, so the heaviest ones stay the
 * heaviest.
 */
function heaviestFirst(variants: readonly VariantInput[]): VariantInput[] {
  return [...variants].sort((a, b) => b.weight - a.weight)
}

/** Target strategy, and the existing one to update; undefined if the target strategy is added. */
interface Pair {
  readonly wanted: StrategyInput
  readonly mate: StrategyRow | undefined
  readonly isSame: boolean
}

/**
 * Adds `allowEmpty` to a change: the actor has seen the other environment, so a strategy without constraints or
 * segments is intended.
 */
function mayEmpty(
  { constraints = [], segments = [] }: StrategyInput,
  mate: StrategyRow,
): { readonly allowEmpty?: true } {
  const isEmptied = constraints.length === 0 && mate.constraints.length > 0
  return isEmptied || (segments.length === 0 && mate.segments.length > 0) ? { allowEmpty: true } : {}
}

function strategyChanges(
  feature: string,
  now: readonly StrategyRow[],
  wanted: readonly StrategyInput[],
): readonly Proposed[] {
  const pairs = paired(feature, now, wanted)
  const isSorted = isInOrder(pairs, now)
  const added: Proposed[] = []
  const updated: Proposed[] = []
  const moved: { id: string; sortOrder: number }[] = []
  for (const [place, { wanted: given, mate, isSame }] of pairs.entries()) {
    const { sortOrder: _, ...parts } = given
    const placed = isSorted ? parts : { ...parts, sortOrder: place }
    if (mate === undefined) added.push(change('addStrategy', placed))
    else if (!isSame) updated.push(change('updateStrategy', { ...placed, id: mate.id, ...mayEmpty(placed, mate) }))
    else if (!isSorted && mate.sort_order !== place) moved.push({ id: mate.id, sortOrder: place })
  }
  const kept = new Set(pairs.map(({ mate }) => mate))
  const removed = now.filter((row) => !kept.has(row)).map(({ id }) => change('deleteStrategy', { id }))
  return [
    ...added,
    ...enablingFirst(updated),
    ...(moved.length === 0 ? [] : [change('reorderStrategy', moved)]),
    ...removed,
  ]
}

function enablingFirst(updates: readonly Proposed[]): Proposed[] {
  const isDisabling = ({ payload }: Proposed) => Number((payload as { disabled?: boolean }).disabled === true)
  return [...updates].sort((a, b) => isDisabling(a) - isDisabling(b))
}

/** Pairs equal strategies first, then the remaining ones by type, both in list order. Takes linear time. */
function paired(feature: string, now: readonly StrategyRow[], wanted: readonly StrategyInput[]): Pair[] {
  const alike = Map.groupBy(now, (row) => strategyKey(feature, row))
  const same = wanted.map((one) => alike.get(strategyKey(feature, one as StrategyParts))?.shift())
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

/** Returns true if the remaining strategies are already in the target order, with new ones at the end. */
function isInOrder(pairs: readonly Pair[], now: readonly StrategyRow[]): boolean {
  const placeOf = new Map(now.map((row, place) => [row, place]))
  const places = pairs.map(({ mate }) => (mate && placeOf.get(mate)) ?? now.length)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
}
