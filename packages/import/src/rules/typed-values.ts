import type { Payload, VariantDefinition } from '@burgee/protocol/feature'
import { OFF, type Outcome, onWith } from './ordered-rules.ts'

/** A value of a flag with its display name. */
export interface NamedValue {
  readonly name: string
  readonly value: unknown
}

const MOST_NAME = 100

/**
 * Values of a flag. `areVariants` is true if each value becomes a variant; otherwise on means true and off means false.
 */
export interface FlagValues {
  readonly list: readonly NamedValue[]
  readonly areVariants: boolean
}

/** Returns the values as a switch if all are booleans, and as variants otherwise. */
export function valuesOf(list: readonly NamedValue[]): FlagValues {
  return { list, areVariants: !isSwitch(list) }
}

/**
 * Returns the result for a value. A null or missing value is off, so that the default in the application's code
 * applies.
 */
export function outcomeOf({ list, areVariants }: FlagValues, index: number): Outcome {
  const chosen = list[index]
  if (chosen === undefined || chosen.value === null) return OFF
  if (areVariants) return onWith(variantOf(chosen, index))
  return chosen.value === true ? onWith() : OFF
}

/** Returns all values as variants; empty if they are a switch. */
export function variantsOfValues({ list, areVariants }: FlagValues): Omit<VariantDefinition, 'weight'>[] {
  if (!areVariants) return []
  return list.flatMap((one, index) => (one.value === null ? [] : [variantOf(one, index)]))
}

/** Shares of values, the context field that they stick to, and the result for contexts without it. */
export interface Shares {
  readonly shares: readonly { readonly index: number; readonly share: number }[]
  readonly stickiness: string
  readonly missing: Outcome
}

/** Returns a result with shares of several values that stick to a context field. */
export function sharedOutcome(values: FlagValues, { shares, stickiness, missing }: Shares): Outcome {
  const summed = new Map<number, number>()
  for (const { index, share } of shares) summed.set(index, (summed.get(index) ?? 0) + Math.max(0, share))
  const parts = [...summed].map(([index, share]) => ({ own: outcomeOf(values, index), share }))
  return {
    ...{ stickiness, missing },
    on: parts.flatMap(({ own, share }) => own.on.map(({ variant }) => ({ variant, share }))),
    offShare: parts.reduce((sum, { own, share }) => sum + (own.on.length === 0 ? share : 0), 0),
  }
}

/** Returns true if all values are booleans, so that on and off can represent them. */
export function isSwitch(values: readonly NamedValue[]): boolean {
  return values.every(({ value }) => typeof value === 'boolean')
}

/** Creates a variant for a value. Truncates its name to the maximum length. */
export function variantOf({ name, value }: NamedValue, index: number): Omit<VariantDefinition, 'weight'> {
  const short = name.trim().slice(0, MOST_NAME)
  return { name: short === '' ? `value ${index + 1}` : short, payload: payloadOf(value) }
}

function payloadOf(value: unknown): Payload {
  if (typeof value === 'string') return { type: 'string', value }
  if (typeof value === 'number') return { type: 'number', value: String(value) }
  return { type: 'json', value: JSON.stringify(value ?? null) }
}
