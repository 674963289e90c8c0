import type { Payload, VariantDefinition } from '@burgee/protocol/feature'
import { createOnOutcome, OFF, type Outcome } from './ordered-rules.ts'

/** A value of a flag, with its display name. */
export interface NamedValue {
  readonly name: string
  readonly value: unknown
}

const MAX_NAME_LENGTH = 100

/**
 * Values that a flag can have. If `areVariants` is true, each value becomes a variant. If false, the flag is a switch:
 * on means true and off means false.
 */
export interface FlagValues {
  readonly list: readonly NamedValue[]
  readonly areVariants: boolean
}

/** Returns the values as a switch if all are booleans, otherwise as variants. */
export function toFlagValues(list: readonly NamedValue[]): FlagValues {
  return { list, areVariants: !isSwitch(list) }
}

/**
 * Returns the outcome for a value. A null or missing value is off, so that the default in the application's code
 * applies.
 */
export function toValueOutcome({ list, areVariants }: FlagValues, index: number): Outcome {
  const chosen = list[index]
  if (chosen === undefined || chosen.value === null) return OFF
  if (areVariants) return createOnOutcome(toVariant(chosen, index))
  return chosen.value === true ? createOnOutcome() : OFF
}

/** Returns all values as variants; empty if the values are a switch. */
export function listVariants({ list, areVariants }: FlagValues): Omit<VariantDefinition, 'weight'>[] {
  if (!areVariants) return []
  return list.flatMap((one, index) => (one.value === null ? [] : [toVariant(one, index)]))
}

/**
 * Values with their percentages, the context field that decides which value a context gets, and the outcome for
 * contexts without this field.
 */
export interface Shares {
  readonly shares: readonly { readonly index: number; readonly share: number }[]
  readonly stickiness: string
  readonly missing: Outcome
}

/**
 * Creates an outcome that splits users among several values by percentage. A context field (the stickiness) decides
 * which value a user gets.
 */
export function createSharedOutcome(values: FlagValues, { shares, stickiness, missing }: Shares): Outcome {
  const summed = new Map<number, number>()
  for (const { index, share } of shares) summed.set(index, (summed.get(index) ?? 0) + Math.max(0, share))
  const parts = [...summed].map(([index, share]) => ({ own: toValueOutcome(values, index), share }))
  return {
    stickiness,
    missing,
    on: parts.flatMap(({ own, share }) => own.on.map(({ variant }) => ({ variant, share }))),
    offShare: parts.reduce((sum, { own, share }) => sum + (own.on.length === 0 ? share : 0), 0),
  }
}

/** Returns true if all values are booleans, so that on and off can represent them. */
export function isSwitch(values: readonly NamedValue[]): boolean {
  return values.every(({ value }) => typeof value === 'boolean')
}

/** Creates a variant for a value. Truncates the variant's name to the maximum length. */
export function toVariant({ name, value }: NamedValue, index: number): Omit<VariantDefinition, 'weight'> {
  const short = name.trim().slice(0, MAX_NAME_LENGTH)
  return { name: short === '' ? `value ${index + 1}` : short, payload: toPayload(value) }
}

function toPayload(value: unknown): Payload {
  if (typeof value === 'string') return { type: 'string', value }
  if (typeof value === 'number') return { type: 'number', value: String(value) }
  return { type: 'json', value: JSON.stringify(value ?? null) }
}
