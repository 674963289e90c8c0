import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { StrategyRow } from '../../store/features/strategies.ts'
import type { Proposed } from '../change-requests/actions.ts'
import { areSameVariants, type StrategyParts, strategyKey } from '../targeting/same-strategy.ts'
import type { StateRows } from './flag-states.ts'

/** What a flag is to be in an environment; parts that are left out stay. */
export interface WantedState {
  readonly enabled?: boolean | undefined
  readonly strategies?: readonly StrategyInput[] | undefined
  readonly variants?: readonly VariantInput[] | undefined
}

/** A state as one that is wanted elsewhere. */
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
 * Changes that make a flag what it is to be, as few as that takes: strategies that are the same stay, one of the same type is
 * changed, others come and go. In an order in which it is never without an enabled strategy where it has one before and after:
 * that would switch it off. It is not turned on where none of `openBy` is enabled, for it would get one for everybody.
 *
 * @param openBy the strategies by which a flag that is wanted on is on, whether or not they are wanted themselves
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

/** What is left of the weights goes to the first variable ones: those that have more stay the ones that do. */
function heaviestFirst(variants: readonly VariantInput[]): VariantInput[] {
  return [...variants].sort((a, b) => b.weight - a.weight)
}

/** A strategy that is wanted, and the one that becomes it; undefined where it comes anew. */
interface Pair {
  readonly wanted: StrategyInput
  readonly mate: StrategyRow | undefined
  readonly isSame: boolean
}

/** Who promotes has seen what the other environment has: a strategy without constraints or segments is meant. */
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

/** Pairs what is the same, and of what is left over what is of the same type; both in their order. Each is looked at once. */
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

/** Whether what stays is in the wanted order already, and what comes is behind it. */
function isInOrder(pairs: readonly Pair[], now: readonly StrategyRow[]): boolean {
  const placeOf = new Map(now.map((row, place) => [row, place]))
  const places = pairs.map(({ mate }) => (mate && placeOf.get(mate)) ?? now.length)
  return places.every((place, at) => at === 0 || (places[at - 1] ?? 0) <= place)
}
