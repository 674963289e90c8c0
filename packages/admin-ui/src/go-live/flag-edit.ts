import type { FlagEdit } from '@burgee/protocol/administration/impact'
import { getRolloutPercentage } from '@burgee/protocol/targeting/audience'
import type { AdminStrategy, DefaultStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import { listEnabledStrategies, type StrategyRule } from '../impact/edit-effect.ts'
import type { DescribableStrategy } from '../strategy/strategy-sentence.ts'

/** Edit of a flag in one environment. */
export interface LiveEdit extends FlagEdit {
  /** True if turning the flag on enables its disabled strategies. */
  readonly activate?: boolean
}

/** Strategy that decides who gets a flag and that can be described in words. */
export type DescribedStrategy = StrategyRule & DescribableStrategy

/** State of a flag in an environment before or after an edit. */
export interface EditedSide {
  readonly isOn: boolean
  readonly strategies: readonly DescribedStrategy[]
}

/** Flag in an environment, and the strategy that turning it on would add. */
export interface EditableFlag {
  readonly enabled: boolean
  readonly strategies: readonly DescribedStrategy[]
  readonly addedStrategy?: DefaultStrategy | undefined
}

/**
 * Returns the state of a flag after an edit, in the form in which the server would store it. If a flag is turned on
 * without an enabled strategy, it gets the default strategy; if it loses its last enabled strategy, it is turned off.
 */
export function applyEdit({ enabled, strategies, addedStrategy }: EditableFlag, edit: LiveEdit): EditedSide {
  const edited = editStrategies(strategies, edit)
  const hasEnabled = edited.some(({ disabled }) => !disabled)
  if (edit.enabled === true && !hasEnabled && addedStrategy !== undefined) {
    return { isOn: true, strategies: [...edited, toDescribed(addedStrategy)] }
  }
  const isEmptied = edit.enabled === undefined && edited !== strategies && !hasEnabled
  return { isOn: (edit.enabled ?? enabled) && !isEmptied, strategies: edited }
}

/** Returns the state of a flag after several edits, applied in order. */
export function applyEdits(flag: EditableFlag, edits: readonly LiveEdit[]): EditedSide {
  const first: EditedSide = { isOn: flag.enabled, strategies: flag.strategies }
  return edits.reduce(
    (side, edit) => applyEdit({ ...flag, enabled: side.isOn, strategies: side.strategies }, edit),
    first,
  )
}

/**
 * Combines edits into one edit whose impact the server can calculate. A single edit stays as it is; several edits
 * become the state that results from them.
 */
export function combineEdits(flag: EditableFlag, edits: readonly LiveEdit[]): FlagEdit {
  const [only] = edits
  const isPlain = only?.activate !== true && only?.strategies === undefined
  if (only !== undefined && edits.length === 1 && isPlain) return only
  const { isOn, strategies } = applyEdits(flag, edits)
  const variants = edits.findLast((edit) => edit.variants !== undefined)?.variants
  return {
    enabled: isOn,
    strategies: strategies.map(toStrategyInput),
    ...(variants === undefined ? {} : { variants }),
  }
}

function toStrategyInput({ name, parameters, constraints, segments, variants, disabled }: DescribedStrategy) {
  return { name, parameters, constraints, segments, variants, disabled } as StrategyInput
}

function editStrategies(strategies: readonly DescribedStrategy[], edit: LiveEdit): readonly DescribedStrategy[] {
  const { strategy, removeStrategy, activate } = edit
  if (edit.strategies !== undefined) return edit.strategies.map(toDescribed)
  if (activate === true) return strategies.map((one) => ({ ...one, disabled: false }))
  if (removeStrategy !== undefined) return strategies.filter(({ id }) => id !== removeStrategy)
  if (strategy === undefined) return strategies
  const next = toDescribed(strategy)
  if (strategy.id === undefined) return [...strategies, next]
  return strategies.map((one) => (one.id === strategy.id ? next : one))
}

function toDescribed(strategy: StrategyInput & { readonly id?: string }): DescribedStrategy {
  const { id, name, parameters = {}, segments = [], disabled } = strategy
  return {
    id,
    name,
    parameters,
    constraints: (strategy.constraints ?? []) as AdminStrategy['constraints'],
    segments,
    disabled: disabled === true,
    variants: (strategy.variants ?? []) as AdminStrategy['variants'],
  }
}

/**
 * Returns the largest rollout percentage of a state; 0 if the flag is off, undefined if a strategy has no percentage.
 */
export function getLargestShare(side: EditedSide): number | undefined {
  const shares = listEnabledStrategies(side).map(getRolloutPercentage)
  return shares.includes(null) ? undefined : Math.max(0, ...shares.map((share) => share ?? 0))
}
