import type { FlagState, PromotedPart } from '@burgee/protocol/administration/promotion'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { describeTitledStrategy, describeVariants } from '../change-requests/change-text.ts'
import { compareStates, withStrategyDefaults, withVariantDefaults } from '../change-requests/state-comparison.ts'
import { findDifferences, isMeaningful } from '../diff/diff.ts'
import type { SentenceTexts } from '../strategy/strategy-sentence.ts'
import type { PROMOTION_TEXTS } from './texts.ts'

/** UI strings and lookups for building the sentences. */
export interface PartTextContext {
  readonly own: (typeof PROMOTION_TEXTS)['en']
  readonly words: SentenceTexts
  readonly segmentName: (id: number) => string
  /** Name of the flag. */
  readonly feature: string
}

/** Line that describes one side. */
export interface Line {
  readonly text: string
  /** True if the other side has the same line. */
  readonly isSame: boolean
}

/** Part of a flag, described for both sides. */
export interface PartText {
  readonly part: PromotedPart
  readonly left: readonly Line[]
  readonly right: readonly Line[]
}

/** Describes parts of a flag's state on both sides in words. Unequal parts always have different descriptions. */
export function describeParts(
  left: FlagState,
  right: FlagState,
  parts: readonly PromotedPart[],
  telling: PartTextContext,
): PartText[] {
  return parts.map((part) => ({ part, ...SIDES[part](left, right, telling) }))
}

type PartSides = Omit<PartText, 'part'>

const SIDES: Readonly<
  Record<PromotedPart, (left: FlagState, right: FlagState, telling: PartTextContext) => PartSides>
> = {
  enabled: (left, right, { own }) => {
    const isSame = left.enabled === right.enabled
    const line = ({ enabled }: FlagState) => [{ text: enabled ? own.on : own.off, isSame }]
    return { left: line(left), right: line(right) }
  },
  strategies: compareStrategies,
  variants: (left, right, { words }) => {
    const { before, after } = compareStates(
      describeVariantsBeside(left, right, words),
      describeVariantsBeside(right, left, words),
      words,
    )
    return { left: toLines(before, after), right: toLines(after, before) }
  },
}

/** Describes variants. A variant that one side lacks is described there as if it had default values. */
function describeVariantsBeside(
  { variants }: FlagState,
  { variants: others }: FlagState,
  words: PartTextContext['words'],
) {
  const { lines, value } = describeVariants(variants as VariantInput[], words)
  const usual = withVariantDefaults(others.map(({ name }) => ({ name, weight: 0 })))
  return { lines, value: { ...(usual as object), ...(value as object) } }
}

function toLines(texts: readonly string[], others: readonly string[]): Line[] {
  return texts.map((text) => ({ text, isSame: others.includes(text) }))
}

/** Describes strategies in evaluation order. Equal strategies count as unchanged if they are at the same position. */
function compareStrategies(
  { strategies: left }: FlagState,
  { strategies: right }: FlagState,
  telling: PartTextContext,
): PartSides {
  const mates = matchStrategies(left, right)
  const sides = { left: left.map((): Line[] => []), right: right.map((): Line[] => []) }
  for (const [at, one] of left.entries()) {
    const mate = mates[at]
    const other = mate === undefined ? undefined : right[mate]
    const { before, after } = describePair(one, other, telling)
    const isSame = other !== undefined && mate === at && isEqual(one, other)
    sides.left[at] = numberLines(before, at, isSame)
    if (mate !== undefined) sides.right[mate] = numberLines(after, mate, isSame)
  }
  for (const [at, one] of right.entries()) {
    if (!mates.includes(at)) sides.right[at] = numberLines(describePair(one, undefined, telling).before, at, false)
  }
  return { left: sides.left.flat(), right: sides.right.flat() }
}

function numberLines(lines: readonly string[], at: number, isSame: boolean): Line[] {
  return lines.map((text, index) => ({ text: index === 0 ? `${at + 1}. ${text}` : text, isSame }))
}

const withDefaults = ({ id: _, sortOrder: _place, ...strategy }: AdminStrategy) =>
  withStrategyDefaults(strategy as StrategyInput)

const isEqual = (one: AdminStrategy, other: AdminStrategy): boolean =>
  !findDifferences(withDefaults(one), withDefaults(other)).some(isMeaningful)

/**
 * Matches each strategy with one on the other side: an equal strategy or, if there is none, the next strategy of the
 * same type.
 */
function matchStrategies(left: readonly AdminStrategy[], right: readonly AdminStrategy[]): (number | undefined)[] {
  const free = new Set(right.keys())
  const take = (isMate: (other: AdminStrategy) => boolean): number | undefined => {
    const found = [...free].find((at) => isMate(right[at] as AdminStrategy))
    if (found !== undefined) free.delete(found)
    return found
  }
  const equal = left.map((one) => take((other) => isEqual(one, other)))
  return left.map((one, at) => equal[at] ?? take((other) => other.name === one.name))
}

function describePair(one: AdminStrategy, other: AdminStrategy | undefined, telling: PartTextContext) {
  const describe = (strategy: AdminStrategy) => ({
    lines: [describeTitledStrategy(strategy, telling)],
    value: withDefaults(strategy),
  })
  return compareStates(
    describe(one),
    other === undefined ? { lines: [], value: getImpliedDefaults(one, telling) } : describe(other),
    telling.words,
  )
}

/**
 * For a strategy that only one side has, returns the values that need no separate line: defaults, and values that its
 * sentence already mentions.
 */
function getImpliedDefaults({ name, parameters, variants = [] }: AdminStrategy, { feature }: PartTextContext): unknown {
  if (name !== 'flexibleRollout') return withStrategyDefaults({ name, parameters: {} })
  const { rollout, stickiness = 'default' } = parameters
  const shownStickiness = rollout === '100' ? 'default' : stickiness
  return withStrategyDefaults({
    name,
    parameters: { stickiness: shownStickiness, groupId: feature },
    variants: variants.map((one) => ({ name: one.name, weight: 0, weightType: 'variable', stickiness })),
  })
}
