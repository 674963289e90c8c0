import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { HeldContextField, HeldRule, HeldStrategyType } from '../model/held-flags.ts'

type Json = Readonly<Record<string, unknown>>

/** Returns an object, or an empty one for any other value. Some old rows store it as text. */
export function objectOf(value: unknown): Json {
  const parsed = parsedOf(value)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Json) : {}
}

/** Returns a list; empty for null and other values. */
export function listOf(value: unknown): readonly unknown[] {
  const parsed = parsedOf(value)
  return Array.isArray(parsed) ? parsed : []
}

/** Returns the items of a list as strings; other values are serialized as JSON. */
export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((one) => textOf(one) ?? [])
}

/** Returns a string as it is and other values as JSON; undefined for null and undefined. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parsedOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/**
 * Returns parameters as strings: older rows and imports contain numbers and booleans. Omits nulls, which mean not set.
 */
export function parametersOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([name, one]) => {
      const text = textOf(one)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/**
 * Constraint that never matches. It replaces constraints that cannot be parsed, because without them a strategy would
 * match more users.
 */
export const UNREADABLE: Constraint = { contextName: 'userId', operator: 'IN', values: [] }

/**
 * Returns constraints in stored order; absent keys stay absent. Replaces anything that is not a list, and any item that
 * is not a constraint, with UNREADABLE.
 */
export function constraintsOf(value: unknown): Constraint[] {
  if (value === null || value === undefined || value === '') return []
  const stored = parsedOf(value)
  if (!Array.isArray(stored)) return stored === null ? [] : [UNREADABLE]
  return stored.map((one) => {
    const { contextName, operator, values, value: single, inverted, caseInsensitive } = objectOf(one)
    if (typeof contextName !== 'string' || typeof operator !== 'string') return UNREADABLE
    return {
      ...{ contextName, operator },
      ...(Array.isArray(values) ? { values: textsOf(values) } : {}),
      ...(single === undefined || single === null ? {} : { value: textOf(single) ?? '' }),
      ...(typeof inverted === 'boolean' ? { inverted } : {}),
      ...(typeof caseInsensitive === 'boolean' ? { caseInsensitive } : {}),
    }
  })
}

/** Returns variants with their stored weights, whatever the sum. */
export function variantsOf(value: unknown): VariantDefinition[] {
  return listOf(value).map((one) => {
    const { name, weight, weightType, stickiness, payload, overrides } = objectOf(one)
    const { type, value: carried } = objectOf(payload)
    const listed = listOf(overrides).map(objectOf)
    return {
      ...{ name: textOf(name) ?? '', weight: Number(weight ?? 0) || 0 },
      ...(typeof weightType === 'string' ? { weightType } : {}),
      ...(typeof stickiness === 'string' ? { stickiness } : {}),
      ...(payload === null || payload === undefined
        ? {}
        : { payload: { type: textOf(type) ?? 'string', value: textOf(carried) ?? '' } }),
      ...(listed.length === 0
        ? {}
        : {
            overrides: listed.map(({ contextName, values }) => ({
              ...{ contextName: textOf(contextName) ?? '', values: textsOf(values) },
            })),
          }),
    }
  })
}

/** Returns the legal values of a context field; before version 4.17 they are strings. */
export function legalValuesOf(value: unknown): HeldContextField['legalValues'] {
  return listOf(value).map((one) => {
    if (typeof one === 'string') return { value: one }
    const { value: own, description } = objectOf(one)
    return { value: textOf(own) ?? '', ...(typeof description === 'string' ? { description } : {}) }
  })
}

/** Returns the parameter definitions of a strategy type. */
export function parameterKindsOf(value: unknown): HeldStrategyType['parameters'] {
  return listOf(value)
    .map(objectOf)
    .map(({ name, type, description, required }) => ({
      ...{ name: textOf(name) ?? '', type: textOf(type) ?? 'string' },
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof required === 'boolean' ? { required } : {}),
    }))
}

/** Returns segment ids. An invalid id becomes one that does not exist, so that its strategy matches nobody. */
export function segmentIdsOf(value: unknown): number[] {
  return listOf(value).map((id) => (Number.isInteger(Number(id)) ? Number(id) : NO_SEGMENT))
}

const NO_SEGMENT = -1

/** Returns the default strategy of a project, or null if none is set. */
export function ruleOf(value: unknown): HeldRule | null {
  const { name, title, disabled, parameters, constraints, variants, segments } = objectOf(value)
  if (typeof name !== 'string') return null
  return {
    ...{ name, title: textOf(title) ?? null, disabled: disabled === true, parameters: parametersOf(parameters) },
    ...{ constraints: constraintsOf(constraints), variants: variantsOf(variants), segments: segmentIdsOf(segments) },
  }
}
