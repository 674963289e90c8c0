import type { Constraint } from '@burgee/protocol/feature'

/** Type that an attribute has in the source, where comparing it depends on that. */
export type AttributeType = 'text' | 'number' | 'truth value'

/** A test of one attribute. */
export interface AttributeTest {
  readonly test: Constraint
  /** It may fail here where it holds there, so that its opposite would be for more people than before. */
  readonly isNarrow?: boolean
  /** It decides as in the source for attributes of this type: here they have none. */
  readonly type?: AttributeType
  /** Sentence about what else differs from the source. */
  readonly differs?: string
  /** Sentence about texts that hardly occur, and are decided otherwise. */
  readonly caveat?: string
}

/** When a rule applies, as other services say it: any nesting of and, or and not. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | AttributeTest
  /** Somebody in one of some segments, which together mean the condition. */
  | { readonly segments: readonly number[]; readonly means: Condition }
  /** What has no counterpart here; the words say why. */
  | { readonly unknown: string }

/** One way to meet a condition: all constraints hold, and all segments. */
export interface Alternative {
  readonly constraints: readonly Constraint[]
  readonly segments: readonly number[]
}

/** Why a condition cannot be said by strategies; the message goes into the report. */
export class NotExpressible extends Error {}

/** What always holds. */
export const ALWAYS: Condition = { all: [] }
/** What never holds. */
export const NEVER: Condition = { any: [] }

const MOST_ALTERNATIVES = 40

/** Whether a condition holds for everybody. */
export function isAlways(condition: Condition): boolean {
  return 'all' in condition && condition.all.every(isAlways)
}

/** All tests of a condition, also those of its segments. */
export function testsOf(condition: Condition): AttributeTest[] {
  if ('test' in condition) return [condition]
  if ('not' in condition) return testsOf(condition.not)
  if ('segments' in condition) return testsOf(condition.means)
  if ('unknown' in condition) return []
  return ('all' in condition ? condition.all : condition.any).flatMap(testsOf)
}

/** Returns why some part of a condition cannot be expressed, or undefined. */
export function unknownIn(condition: Condition): string | undefined {
  if ('unknown' in condition) return condition.unknown
  if ('not' in condition) return unknownIn(condition.not)
  if ('test' in condition || 'segments' in condition) return undefined
  return firstOf('all' in condition ? condition.all : condition.any)
}

function firstOf(parts: readonly Condition[]): string | undefined {
  for (const part of parts) {
    const why = unknownIn(part)
    if (why !== undefined) return why
  }
  return undefined
}

/**
 * The ways in which a condition is met: it holds exactly where one of them does. Throws NotExpressible where there are too
 * many, or parts without a counterpart.
 */
export function alternativesOf(condition: Condition): Alternative[] {
  return distinct(expand(condition, false))
}

function expand(condition: Condition, isNegated: boolean): Alternative[] {
  if ('unknown' in condition) throw new NotExpressible(condition.unknown)
  if ('not' in condition) return expand(condition.not, !isNegated)
  if ('test' in condition) return [{ constraints: [constraintFor(condition, isNegated)], segments: [] }]
  if ('segments' in condition) {
    if (isNegated) return expand(condition.means, true)
    return condition.segments.map((id) => ({ constraints: [], segments: [id] }))
  }
  const isConjunction = 'all' in condition
  const parts = ('all' in condition ? condition.all : condition.any).map((part) => () => expand(part, isNegated))
  return isConjunction === isNegated ? parts.flatMap((part) => part()) : parts.reduce(crossed, [NOTHING])
}

const NOTHING: Alternative = { constraints: [], segments: [] }

function crossed(found: readonly Alternative[], part: () => Alternative[]): Alternative[] {
  if (found.length === 0) return []
  const own = part()
  if (found.length * own.length > MOST_ALTERNATIVES) {
    throw new NotExpressible(`its rules exclude each other in more than ${MOST_ALTERNATIVES} ways`)
  }
  return found.flatMap((one) =>
    own.map((other) => ({
      constraints: [...one.constraints, ...other.constraints],
      segments: [...new Set([...one.segments, ...other.segments])],
    })),
  )
}

function constraintFor({ test, isNarrow }: AttributeTest, isNegated: boolean): Constraint {
  if (!isNegated) return test
  if (isNarrow === true) throw new NotExpressible(`the opposite of ${test.contextName} ${test.operator} cannot be told`)
  const { inverted, ...same } = test
  return inverted === true ? same : { ...same, inverted: true }
}

function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const texts = alternatives.map(({ constraints, segments }) => {
    const own = new Map(constraints.map((constraint) => [JSON.stringify(constraint), constraint]))
    return { key: [...own.keys()].sort().join('\n') + segments.join(), constraints: [...own.values()], segments }
  })
  return [...new Map(texts.map(({ key, ...alternative }) => [key, alternative])).values()].filter(
    ({ constraints }) => !constraints.some((one) => contradicts(one, constraints)),
  )
}

/** A constraint and its opposite never hold together: such a way is none. */
function contradicts(one: Constraint, all: readonly Constraint[]): boolean {
  const { inverted, ...same } = one
  if (inverted !== true) return false
  const text = JSON.stringify(same)
  return all.some((other) => JSON.stringify(other) === text)
}
