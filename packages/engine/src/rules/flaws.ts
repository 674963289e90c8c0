import { isRaw, type Raw } from './raw-value.ts'

/** Returns a description of what is wrong with a value; undefined if nothing is. */
type Look = (value: unknown) => string | undefined

/**
 * Describes what makes a flag's definition unreadable; undefined if it is readable. Checks only the structure: the
 * switch is a boolean, lists are lists, and their items are objects with a name or type. Missing or null parts are
 * allowed, except the switch and the strategies. The compiler checks the meaning, such as unknown strategies. Never
 * throws on JSON.
 */
export function flawOfFeature(definition: Raw): string | undefined {
  if (typeof definition.enabled !== 'boolean') return 'enabled is no boolean'
  return (
    listFlaw('strategies', definition.strategies, flawOfStrategy, false) ??
    listFlaw('variants', definition.variants, flawOfVariant) ??
    listFlaw('dependencies', definition.dependencies, flawOfDependency)
  )
}

/** Describes what makes a segment's definition unreadable; undefined if it is readable. Never throws on JSON. */
export function flawOfSegment(definition: Raw): string | undefined {
  return listFlaw('constraints', definition.constraints, flawOfConstraint)
}

const flawOfStrategy: Look = (strategy) => {
  if (!isObject(strategy)) return 'a strategy is no object'
  if (typeof strategy.name !== 'string') return 'a strategy has no name'
  if (!isNothing(strategy.parameters) && !isObject(strategy.parameters)) return 'parameters are no object'
  return (
    listFlaw('constraints', strategy.constraints, flawOfConstraint) ??
    listFlaw('segments', strategy.segments) ??
    listFlaw('variants', strategy.variants, flawOfVariant)
  )
}

const flawOfConstraint: Look = (constraint) => {
  if (!isObject(constraint)) return 'a constraint is no object'
  if (typeof constraint.operator !== 'string') return 'a constraint has no operator'
  return listFlaw('values of a constraint', constraint.values)
}

const flawOfVariant: Look = (variant) => (isObject(variant) ? undefined : 'a variant is no object')

const flawOfDependency: Look = (dependency) => {
  if (!isObject(dependency) || typeof dependency.feature !== 'string') return 'a dependency names no parent'
  return listFlaw('variants of a dependency', dependency.variants)
}

function listFlaw(what: string, list: unknown, look?: Look, mayBeMissing = true): string | undefined {
  if (mayBeMissing && isNothing(list)) return undefined
  if (!Array.isArray(list)) return `${what} are no list`
  if (look === undefined) return undefined
  for (const item of list) {
    const flaw = look(item)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function isObject(value: unknown): value is Raw {
  return isRaw(value) && !Array.isArray(value)
}
