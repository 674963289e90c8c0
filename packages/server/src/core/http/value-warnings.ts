import { toCanonicalOperand } from '@burgee/protocol/targeting/canonical-operand'
import { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import {
  listConstraintDifferences,
  listPayloadDifferences,
  listStrategyDifferences,
  READING_DIFFERENCES,
  type ReadingDifference,
  type ReadStrategy,
  type ReadVariant,
} from '@burgee/protocol/targeting/reading-differences'
import Type from 'typebox'
import { Compile } from 'typebox/compile'

const MAX_ITEMS = 20

/** Warning about values that official SDKs interpret differently, with the paths at which the values occur. */
export interface ValueWarning {
  readonly message: string
  readonly affectedItems: readonly string[]
}

/**
 * Returns warnings about values that official SDKs interpret differently. Checks all strategies, constraints and
 * variants in a JSON response; `affectedItems` contains their paths.
 */
export function getStoredValueWarnings(value: unknown): ValueWarning[] {
  return toWarnings(findDifferences(value, '', (constraint) => constraint))
}

/**
 * Returns the same warnings as `getStoredValueWarnings` for a JSON request whose values will be stored in canonical
 * form.
 */
export function getInputWarnings(value: unknown): ValueWarning[] {
  return toWarnings(findDifferences(value, '', toCanonicalOperand).filter(({ kind }) => kind !== 'form'))
}

function toWarnings(differences: readonly ReadingDifference[]): ValueWarning[] {
  return [...Map.groupBy(differences, ({ kind }) => kind)].map(([kind, own]) => ({
    message: READING_DIFFERENCES[kind],
    affectedItems: own.slice(0, MAX_ITEMS).map(({ path }) => path),
  }))
}

type ToCanonical = (constraint: ConstraintInput) => ConstraintInput

function findDifferences(value: unknown, path: string, canonical: ToCanonical): ReadingDifference[] {
  if (typeof value !== 'object' || value === null) return []
  if (isConstraint(value)) return prefixPaths(path, listConstraintDifferences(canonical(value)))
  if (isStrategy(value)) {
    const { name = value.strategyName ?? '', constraints } = value
    return prefixPaths(path, listStrategyDifferences({ ...value, name, constraints: constraints?.map(canonical) }))
  }
  const variants = 'variants' in value && Array.isArray(value.variants) ? value.variants.filter(isVariant) : []
  const inside = Object.entries(value).flatMap(([name, part]) =>
    findDifferences(part, path === '' ? name : `${path}/${name}`, canonical),
  )
  return [...prefixPaths(path, listPayloadDifferences(variants)), ...inside]
}

function prefixPaths(path: string, differences: readonly ReadingDifference[]): ReadingDifference[] {
  return differences.map((one) => ({ kind: one.kind, path: path === '' ? one.path : `${path}/${one.path}` }))
}

const CONSTRAINT = Compile(ConstraintInput)

function isConstraint(value: object): value is ConstraintInput {
  return 'operator' in value && CONSTRAINT.Check(value)
}

/** Strategy of a flag, or of a milestone, where the name has another key. */
interface AnyStrategy extends Omit<ReadStrategy, 'name'> {
  readonly name?: string
  readonly strategyName?: string
}

const STRATEGY = Compile(
  Type.Object({
    name: Type.Optional(Type.String()),
    strategyName: Type.Optional(Type.String()),
    parameters: Type.Record(Type.String(), Type.String()),
    constraints: Type.Optional(Type.Array(ConstraintInput)),
  }),
)

function isStrategy(value: object): value is AnyStrategy {
  return 'parameters' in value && ('name' in value || 'strategyName' in value) && STRATEGY.Check(value)
}

function isVariant(value: unknown): value is ReadVariant {
  return typeof value === 'object' && value !== null && 'name' in value && 'weight' in value
}
