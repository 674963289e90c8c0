import { isRaw, type Raw } from './raw-value.ts'

/** Returns a description of the fault in a value, or undefined if the value is valid. */
type FlawCheck = (value: unknown) => string | undefined

/**
 * Describes why the definition of a flag is malformed; undefined if it is well-formed. Checks only the structure: the
 * switch is a boolean, lists are lists, and their items are objects with a name or type. Every part may be missing or
 * null, except the switch and the strategies. The compiler checks the meaning, for example whether strategies are
 * known. Never throws for a definition parsed from JSON.
 */
export function findFeatureFlaw(definition: Raw): string | undefined {
  if (typeof definition.enabled !== 'boolean') return 'enabled is not a boolean'
  return (
    findListFlaw('strategies', definition.strategies, findStrategyFlaw, false) ??
    findListFlaw('variants', definition.variants, findVariantFlaw) ??
    findListFlaw('dependencies', definition.dependencies, findDependencyFlaw)
  )
}

/**
 * Describes why the definition of a segment is malformed; undefined if it is well-formed. Never throws for a definition
 * parsed from JSON.
 */
export function findSegmentFlaw(definition: Raw): string | undefined {
  return findListFlaw('constraints', definition.constraints, findConstraintFlaw)
}

const findStrategyFlaw: FlawCheck = (strategy) => {
  if (!isObject(strategy)) return 'a strategy is not an object'
  if (typeof strategy.name !== 'string') return 'a strategy has no name'
  if (!isNullish(strategy.parameters) && !isObject(strategy.parameters)) return 'parameters are not an object'
  return (
    findListFlaw('constraints', strategy.constraints, findConstraintFlaw) ??
    findListFlaw('segments', strategy.segments) ??
    findListFlaw('variants', strategy.variants, findVariantFlaw)
  )
}

const findConstraintFlaw: FlawCheck = (constraint) => {
  if (!isObject(constraint)) return 'a constraint is not an object'
  if (typeof constraint.operator !== 'string') return 'a constraint has no operator'
  return findListFlaw('values of a constraint', constraint.values)
}

const findVariantFlaw: FlawCheck = (variant) => (isObject(variant) ? undefined : 'a variant is not an object')

const findDependencyFlaw: FlawCheck = (dependency) => {
  if (!isObject(dependency) || typeof dependency.feature !== 'string') return 'a dependency has no parent'
  return findListFlaw('variants of a dependency', dependency.variants)
}

function findListFlaw(what: string, list: unknown, look?: FlawCheck, mayBeMissing = true): string | undefined {
  if (mayBeMissing && isNullish(list)) return undefined
  if (!Array.isArray(list)) return `${what} are not a list`
  if (look === undefined) return undefined
  for (const item of list) {
    const flaw = look(item)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

function isNullish(value: unknown): boolean {
  return value === undefined || value === null
}

function isObject(value: unknown): value is Raw {
  return isRaw(value) && !Array.isArray(value)
}
