import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { HeldContextField, HeldRule, HeldStrategyType } from '../model/held-flags.ts'

type Json = Readonly<Record<string, unknown>>

/** An object, whatever was stored; some old rows hold it as text. */
export function objectOf(value: unknown): Json {
  const parsed = parsedOf(value)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Json) : {}
}

/** A list; null and others are none. */
export function listOf(value: unknown): readonly unknown[] {
  const parsed = parsedOf(value)
  return Array.isArray(parsed) ? parsed : []
}

/** The texts of a list; others are written out. */
export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((one) => textOf(one) ?? [])
}

/** Text of a text, number, boolean or other JSON; undefined for null and nothing. */
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

/** Text throughout: older rows and imports hold numbers and booleans. What is null was never set. */
export function parametersOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([name, one]) => {
      const text = textOf(one)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/** Holds for nobody. It stands where constraints cannot be read: without them a strategy would be for more people. */
export const UNREADABLE: Constraint = { contextName: 'userId', operator: 'IN', values: [] }

/**
 * Constraints in the order in which they are stored; keys that are not there stay away. What is no list, or no constraint
 * in it, is UNREADABLE.
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

/** Variants with the weights that they have, whatever these sum to. */
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

/** Values of a context field; of before 4.17 they are texts. */
export function legalValuesOf(value: unknown): HeldContextField['legalValues'] {
  return listOf(value).map((one) => {
    if (typeof one === 'string') return { value: one }
    const { value: own, description } = objectOf(one)
    return { value: textOf(own) ?? '', ...(typeof description === 'string' ? { description } : {}) }
  })
}

/** What strategies of a kind are asked for. */
export function parameterKindsOf(value: unknown): HeldStrategyType['parameters'] {
  return listOf(value)
    .map(objectOf)
    .map(({ name, type, description, required }) => ({
      ...{ name: textOf(name) ?? '', type: textOf(type) ?? 'string' },
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof required === 'boolean' ? { required } : {}),
    }))
}

/** Ids of segments; what is none becomes one that there is not, so that a strategy with it is for nobody. */
export function segmentIdsOf(value: unknown): number[] {
  return listOf(value).map((id) => (Number.isInteger(Number(id)) ? Number(id) : NO_SEGMENT))
}

const NO_SEGMENT = -1

/** What new flags of a project begin with; null where nothing is set. */
export function ruleOf(value: unknown): HeldRule | null {
  const { name, title, disabled, parameters, constraints, variants, segments } = objectOf(value)
  if (typeof name !== 'string') return null
  return {
    ...{ name, title: textOf(title) ?? null, disabled: disabled === true, parameters: parametersOf(parameters) },
    ...{ constraints: constraintsOf(constraints), variants: variantsOf(variants), segments: segmentIdsOf(segments) },
  }
}
