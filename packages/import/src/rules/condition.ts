import type { Constraint } from '@burgee/protocol/feature'

/** Type of an attribute in the source. The source's comparisons depend on this type. */
export type AttributeType = 'text' | 'number' | 'truth value'

/** A test of one attribute. */
export interface AttributeTest {
  readonly test: Constraint
  /**
   * True if, in Burgee, the test can fail for contexts that match in the source. A narrow test must not be negated,
   * because its negation would match more users than in the source.
   */
  readonly isNarrow?: boolean
  /**
   * Attribute type for which Burgee's test gives the same result as the source. Needed because attributes have no types
   * in Burgee.
   */
  readonly type?: AttributeType
  /** Sentence about further differences from the source. */
  readonly differs?: string
  /** Sentence about rare values for which the decision differs from the source. */
  readonly caveat?: string
}

/** Condition of a rule in another service: any nesting of and, or and not. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | AttributeTest
  /**
   * Membership in at least one of the listed segments. Being in one of these segments is equivalent to the condition
   * `means`.
   */
  | { readonly segments: readonly number[]; readonly means: Condition }
  /** Condition without a counterpart in Burgee; the text gives the reason. */
  | { readonly unknown: string }

/** One alternative of a condition: all of its constraints and segments must match. */
export interface Alternative {
  readonly constraints: readonly Constraint[]
  readonly segments: readonly number[]
}

/** Error for a condition that strategies cannot express. The message of the error goes into the report. */
export class NotExpressible extends Error {}

/** Condition that always holds. */
export const ALWAYS: Condition = { all: [] }
/** Condition that never holds. */
export const NEVER: Condition = { any: [] }

const MAX_ALTERNATIVES = 40

/** Returns true if a condition holds for everyone. */
export function isAlways(condition: Condition): boolean {
  return 'all' in condition && condition.all.every(isAlways)
}

/** Returns all attribute tests in a condition, including the tests in segments to which the condition refers. */
export function listTests(condition: Condition): AttributeTest[] {
  if ('test' in condition) return [condition]
  if ('not' in condition) return listTests(condition.not)
  if ('segments' in condition) return listTests(condition.means)
  if ('unknown' in condition) return []
  return ('all' in condition ? condition.all : condition.any).flatMap(listTests)
}

/** Returns the reason why a part of a condition cannot be expressed; undefined if all parts can be expressed. */
export function findUnknown(condition: Condition): string | undefined {
  if ('unknown' in condition) return condition.unknown
  if ('not' in condition) return findUnknown(condition.not)
  if ('test' in condition || 'segments' in condition) return undefined
  return findFirstUnknown('all' in condition ? condition.all : condition.any)
}

function findFirstUnknown(parts: readonly Condition[]): string | undefined {
  for (const part of parts) {
    const why = findUnknown(part)
    if (why !== undefined) return why
  }
  return undefined
}

/**
 * Expands a condition into alternatives. The condition holds if at least one alternative holds. Throws NotExpressible
 * if there are too many alternatives, or if some part of the condition has no counterpart.
 */
export function listAlternatives(condition: Condition): Alternative[] {
  return simplifyAlternatives(expand(condition, false))
}

function expand(condition: Condition, isNegated: boolean): Alternative[] {
  if ('unknown' in condition) throw new NotExpressible(condition.unknown)
  if ('not' in condition) return expand(condition.not, !isNegated)
  if ('test' in condition) return [{ constraints: [toConstraint(condition, isNegated)], segments: [] }]
  if ('segments' in condition) {
    if (isNegated) return expand(condition.means, true)
    return condition.segments.map((id) => ({ constraints: [], segments: [id] }))
  }
  const isConjunction = 'all' in condition
  const parts = ('all' in condition ? condition.all : condition.any).map((part) => () => expand(part, isNegated))
  return isConjunction === isNegated ? parts.flatMap((part) => part()) : parts.reduce(crossAlternatives, [UNRESTRICTED])
}

const UNRESTRICTED: Alternative = { constraints: [], segments: [] }

function crossAlternatives(found: readonly Alternative[], part: () => Alternative[]): Alternative[] {
  if (found.length === 0) return []
  const own = part()
  if (found.length * own.length > MAX_ALTERNATIVES) {
    throw new NotExpressible(`its rules exclude each other in more than ${MAX_ALTERNATIVES} ways`)
  }
  return found.flatMap((one) =>
    own.map((other) => ({
      constraints: [...one.constraints, ...other.constraints],
      segments: [...new Set([...one.segments, ...other.segments])],
    })),
  )
}

function toConstraint({ test, isNarrow }: AttributeTest, isNegated: boolean): Constraint {
  if (!isNegated) return test
  if (isNarrow === true) throw new NotExpressible(`${test.contextName} ${test.operator} cannot be negated`)
  const { inverted, ...same } = test
  return inverted === true ? same : { ...same, inverted: true }
}

function simplifyAlternatives(alternatives: readonly Alternative[]): Alternative[] {
  const texts = alternatives.map(({ constraints, segments }) => {
    const own = new Map(constraints.map((constraint) => [JSON.stringify(constraint), constraint]))
    return { key: [...own.keys()].sort().join('\n') + segments.join(), constraints: [...own.values()], segments }
  })
  return [...new Map(texts.map(({ key, ...alternative }) => [key, alternative])).values()].filter(
    ({ constraints }) => !constraints.some((one) => contradicts(one, constraints)),
  )
}

/** Returns true if both a constraint and its negation are required. Such an alternative never matches. */
function contradicts(one: Constraint, all: readonly Constraint[]): boolean {
  const { inverted, ...same } = one
  if (inverted !== true) return false
  const text = JSON.stringify(same)
  return all.some((other) => JSON.stringify(other) === text)
}
