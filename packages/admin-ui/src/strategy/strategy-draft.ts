import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { type Keyed, withKey } from '../ui/form/keyed-list.ts'
import { isComplete } from './operators.ts'
import { areValidVariants } from './variant-checks.ts'
import { distributeWeights } from './weights.ts'

/** Strategy being edited. Constraints have no id, so each constraint gets a key. */
export interface StrategyDraft {
  readonly name: string
  readonly title: string
  readonly disabled: boolean
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly Keyed<ConstraintInput>[]
  readonly segments: readonly number[]
  readonly variants: readonly Keyed<VariantInput>[]
}

/** Returns a new strategy: a gradual rollout to 100 %. */
export const createDraft = (feature: string): StrategyDraft => ({
  name: 'flexibleRollout',
  title: '',
  disabled: false,
  parameters: { rollout: '100', stickiness: 'default', groupId: feature },
  constraints: [],
  segments: [],
  variants: [],
})

/** Converts a stored strategy to a draft. */
export function toStrategyDraft(strategy: AdminStrategy): StrategyDraft {
  const { name, title, disabled, parameters, segments } = strategy
  return {
    name,
    title: title ?? '',
    disabled,
    parameters,
    segments,
    constraints: (strategy.constraints as ConstraintInput[]).map(withKey),
    variants: (strategy.variants as VariantInput[]).map(withKey),
  }
}

/** Converts a draft to a request body. */
export function toStrategyInput(draft: StrategyDraft): StrategyInput {
  const { name, title, disabled, parameters, segments } = draft
  const stickiness = parameters.stickiness ?? 'default'
  return {
    name,
    title: title.trim() === '' ? null : title.trim(),
    disabled,
    parameters,
    segments: [...segments],
    constraints: draft.constraints.map(({ value }) => value),
    variants: distributeWeights(draft.variants.map(({ value }) => ({ ...value, stickiness }))),
  }
}

/**
 * Converts a draft to the request body for a strategy that does not belong to a flag yet. If there is no group id, each
 * flag uses a different one.
 */
export function toSharedStrategyInput(draft: StrategyDraft): Omit<StrategyInput, 'disabled'> {
  const { disabled: _, ...strategy } = toStrategyInput(draft)
  const { groupId = '', ...parameters } = draft.parameters
  return { ...strategy, parameters: groupId === '' ? parameters : draft.parameters }
}

/** Returns true if a draft can be saved. */
export function isReady({ constraints, variants }: StrategyDraft): boolean {
  return constraints.every(({ value }) => isComplete(value)) && areValidVariants(variants.map(({ value }) => value))
}
