import { isObject } from '@burgee/kit/input/is-object'
import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { SourceContextField, SourceRule, SourceStrategyType } from '../model/source-flags.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Returns an object, or an empty object for any other value. Parses strings, because some old rows store the object as
 * a JSON string.
 */
export function toObject(value: unknown): Json {
  const parsed = parseStored(value)
  return isObject(parsed) ? parsed : {}
}

/** Returns a list; empty for null and other values. */
export function toList(value: unknown): readonly unknown[] {
  const parsed = parseStored(value)
  return Array.isArray(parsed) ? parsed : []
}

/** Returns the items of a list as strings; other values are serialized as JSON. */
export function toTexts(value: unknown): string[] {
  return toList(value).flatMap((one) => toText(one) ?? [])
}

/** Returns strings unchanged and other values as JSON; undefined for null and undefined. */
export function toText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parseStored(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/**
 * Converts parameters to strings, because older rows and imports contain numbers and booleans. Omits nulls, which mean
 * that a parameter is not set.
 */
export function toParameters(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(toObject(value)).flatMap(([name, one]) => {
      const text = toText(one)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/**
 * Constraint that never matches. Replaces constraints that are malformed. If a malformed constraint were dropped
 * instead, a strategy would match more users.
 */
export const UNREADABLE: Constraint = { contextName: 'userId', operator: 'IN', values: [] }

/**
 * Returns constraints in stored order, without adding missing keys. Replaces a value that is not a list, and each list
 * item that is not a constraint, with UNREADABLE.
 */
export function toConstraints(value: unknown): Constraint[] {
  if (value === null || value === undefined || value === '') return []
  const stored = parseStored(value)
  if (!Array.isArray(stored)) return stored === null ? [] : [UNREADABLE]
  return stored.map((one) => {
    const { contextName, operator, values, value: single, inverted, caseInsensitive } = toObject(one)
    if (typeof contextName !== 'string' || typeof operator !== 'string') return UNREADABLE
    return {
      contextName,
      operator,
      ...(Array.isArray(values) ? { values: toTexts(values) } : {}),
      ...(single === undefined || single === null ? {} : { value: toText(single) ?? '' }),
      ...(typeof inverted === 'boolean' ? { inverted } : {}),
      ...(typeof caseInsensitive === 'boolean' ? { caseInsensitive } : {}),
    }
  })
}

/** Returns variants with their stored weights, whatever the sum of the weights. */
export function toVariants(value: unknown): VariantDefinition[] {
  return toList(value).map((one) => {
    const { name, weight, weightType, stickiness, payload, overrides } = toObject(one)
    const { type, value: carried } = toObject(payload)
    const listed = toList(overrides).map(toObject)
    return {
      name: toText(name) ?? '',
      weight: Number(weight ?? 0) || 0,
      ...(typeof weightType === 'string' ? { weightType } : {}),
      ...(typeof stickiness === 'string' ? { stickiness } : {}),
      ...(payload === null || payload === undefined
        ? {}
        : { payload: { type: toText(type) ?? 'string', value: toText(carried) ?? '' } }),
      ...(listed.length === 0
        ? {}
        : {
            overrides: listed.map(({ contextName, values }) => ({
              contextName: toText(contextName) ?? '',
              values: toTexts(values),
            })),
          }),
    }
  })
}

/** Returns the legal values of a context field. Before version 4.17, legal values were stored as strings. */
export function toLegalValues(value: unknown): SourceContextField['legalValues'] {
  return toList(value).map((one) => {
    if (typeof one === 'string') return { value: one }
    const { value: own, description } = toObject(one)
    return { value: toText(own) ?? '', ...(typeof description === 'string' ? { description } : {}) }
  })
}

/** Returns the parameter definitions of a strategy type. */
export function toParameterDefinitions(value: unknown): SourceStrategyType['parameters'] {
  return toList(value)
    .map(toObject)
    .map(({ name, type, description, required }) => ({
      name: toText(name) ?? '',
      type: toText(type) ?? 'string',
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof required === 'boolean' ? { required } : {}),
    }))
}

/** Returns segment ids. Replaces an invalid id with an id that does not exist, so that the strategy matches no one. */
export function toSegmentIds(value: unknown): number[] {
  return toList(value).map((id) => (Number.isInteger(Number(id)) ? Number(id) : NO_SEGMENT))
}

const NO_SEGMENT = -1

/** Returns the default strategy of a project, or null if none is set. */
export function toRule(value: unknown): SourceRule | null {
  const { name, title, disabled, parameters, constraints, variants, segments } = toObject(value)
  if (typeof name !== 'string') return null
  return {
    name,
    title: toText(title) ?? null,
    disabled: disabled === true,
    parameters: toParameters(parameters),
    constraints: toConstraints(constraints),
    variants: toVariants(variants),
    segments: toSegmentIds(segments),
  }
}
