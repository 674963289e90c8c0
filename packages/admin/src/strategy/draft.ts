import type { ConstraintInput } from '@burgee/protocol/constraint'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/strategy'
import type { VariantInput } from '@burgee/protocol/variant'
import { isComplete } from './operators.ts'
import { spread, weightProblem } from './weights.ts'

/** A strategy while it is edited; constraints have a key of their own, as they have no id. */
export interface Draft {
  readonly name: string
  readonly title: string
  readonly disabled: boolean
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly Keyed<ConstraintInput>[]
  readonly segments: readonly number[]
  readonly variants: readonly Keyed<VariantInput>[]
}

/** Something of a list, with what tells it from its neighbours. */
export interface Keyed<T> {
  readonly key: string
  readonly value: T
}

/** Gives a thing a key. */
export const keyed = <T>(value: T): Keyed<T> => ({ key: crypto.randomUUID?.() ?? String(Math.random()), value })

/** A strategy to begin with: half of the users. */
export const newDraft = (feature: string): Draft => ({
  name: 'flexibleRollout',
  title: '',
  disabled: false,
  parameters: { rollout: '100', stickiness: 'default', groupId: feature },
  constraints: [],
  segments: [],
  variants: [],
})

/** A stored strategy to edit. */
export function draftOf(strategy: AdminStrategy): Draft {
  const { name, title, disabled, parameters, segments } = strategy
  return {
    name,
    title: title ?? '',
    disabled,
    parameters,
    segments,
    constraints: (strategy.constraints as ConstraintInput[]).map(keyed),
    variants: (strategy.variants as VariantInput[]).map(keyed),
  }
}

/** What is sent to the server. */
export function inputOf(draft: Draft): StrategyInput {
  const { name, title, disabled, parameters, segments } = draft
  const stickiness = parameters.stickiness ?? 'default'
  return {
    name,
    title: title.trim() === '' ? null : title.trim(),
    disabled,
    parameters,
    segments: [...segments],
    constraints: draft.constraints.map(({ value }) => value),
    variants: spread(draft.variants.map(({ value }) => ({ ...value, stickiness }))),
  }
}

/** Whether a draft can be saved. */
export function isReady({ constraints, variants }: Draft): boolean {
  return constraints.every(({ value }) => isComplete(value)) && areGoodVariants(variants.map(({ value }) => value))
}

/** Whether variants can be saved: each with a name of its own, payloads that are what they say, weights that fit. */
export function areGoodVariants(values: readonly VariantInput[]): boolean {
  const names = values.map(({ name }) => name.trim())
  return (
    names.every((name) => name !== '') &&
    new Set(names).size === names.length &&
    values.every(({ payload }) => payload === undefined || isGoodPayload(payload)) &&
    weightProblem(values) === undefined
  )
}

function isGoodPayload({ type, value }: NonNullable<VariantInput['payload']>): boolean {
  if (type === 'json') return isJson(value)
  return type !== 'number' || (value.trim() !== '' && Number.isFinite(Number(value)))
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The list with one thing changed, or taken out. */
export function changed<T>(list: readonly Keyed<T>[], key: string, next: T | undefined): Keyed<T>[] {
  return list.flatMap((one) => (one.key !== key ? [one] : next === undefined ? [] : [{ key, value: next }]))
}
