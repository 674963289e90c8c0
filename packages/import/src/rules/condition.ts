import type { Constraint } from '@burgee/protocol/feature'

/** When a rule applies, as other services say it: any nesting of and, or and not. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  /** `isNarrow`: it may fail here where it holds there, so that its opposite would be for more people than before. */
  | { readonly test: Constraint; readonly isNarrow?: boolean }
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
  if ('test' in condition) return [{ constraints: [testOf(condition, isNegated)], segments: [] }]
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

function testOf({ test, isNarrow }: Extract<Condition, { test: unknown }>, isNegated: boolean): Constraint {
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
