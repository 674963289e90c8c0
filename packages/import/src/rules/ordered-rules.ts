import type { VariantDefinition } from '@burgee/protocol/feature'
import { createStrategy } from '../model/source-defaults.ts'
import type { SourceStrategy } from '../model/source-flags.ts'
import { createNonEmptyTest } from './attribute-tests.ts'
import { type Condition, isAlways, listAlternatives, NotExpressible } from './condition.ts'

/** Result of a rule for the contexts that it matches. */
export interface Outcome {
  /**
   * Variants with their weights. `variant` is undefined for the part of the users that get the flag without a variant.
   * The weights and `offShare` may have any sum.
   */
  readonly on: readonly { readonly variant: Omit<VariantDefinition, 'weight'> | undefined; readonly share: number }[]
  readonly offShare: number
  /** Context field whose value decides which result a context gets, or `default`. */
  readonly stickiness: string
  /**
   * Result for a context without the sticky field. If this result is unknown, percentages cannot be imported, because
   * Burgee would choose a result at random.
   */
  readonly missing?: Outcome | undefined
}

/** A rule of an ordered list. The first rule in the list that matches decides. */
export interface OrderedRule {
  readonly when: Condition
  readonly gives: Outcome
  readonly title?: string | undefined
}

/** Strategies compiled from a list of rules, and the ways in which they differ from the rules. */
export interface Compiled {
  readonly strategies: readonly SourceStrategy[]
  /** Sentences that describe the differences; empty if there are none. */
  readonly differences: readonly string[]
}

/** Result that is off for everyone. */
export const OFF: Outcome = { on: [], offShare: 1, stickiness: 'default' }

const ALL_PARTS = 1000
const PERCENT = 100
const MAX_STRATEGIES = 60

/** Returns a result that is on for everyone, with or without a variant. */
export function createOnOutcome(variant?: Omit<VariantDefinition, 'weight'>): Outcome {
  return { on: [{ variant, share: 1 }], offShare: 0, stickiness: 'default' }
}

/**
 * Compiles a list of rules to strategies. A flag is on if any strategy matches, and the first matching strategy
 * determines the variant. A rule that switches the flag off for some contexts becomes a negated condition in all later
 * rules. Throws NotExpressible if the strategies would match other contexts than the rules. Percentages can select
 * different users than in the source.
 */
export function compileRules(rules: readonly OrderedRule[], groupId: string): Compiled {
  const strategies: SourceStrategy[] = []
  const differences = new Set<string>()
  const turnedAway: Condition[] = []
  for (const rule of rules.flatMap(splitByStickiness)) {
    const { when, gives, title } = rule
    if (sumOnShares(gives) > 0) {
      const alternatives = listAlternatives({ all: [when, ...turnedAway.map((not) => ({ not }))] })
      const made = alternatives.map((one) => toStrategy({ ...one, gives, title, groupId }))
      strategies.push(...made)
      for (const difference of describeDifferences(gives, groupId)) differences.add(difference)
    }
    if (isAlways(when)) break
    if (gives.offShare > 0) turnedAway.push(when)
    if (strategies.length > MAX_STRATEGIES) throw new NotExpressible(`it needs more than ${MAX_STRATEGIES} strategies`)
  }
  return { strategies, differences: [...differences] }
}

/**
 * Splits a rule with percentages into two rules: one with the percentages, for contexts that have the sticky field, and
 * one for all other contexts, with the result that the source gives them. Burgee would choose a random result for
 * contexts without the sticky field. No source does this, so the rule is split.
 */
function splitByStickiness(rule: OrderedRule): OrderedRule[] {
  const { when, gives } = rule
  const isSame = gives.missing === undefined || JSON.stringify(gives.missing.on) === JSON.stringify(gives.on)
  if (!isDivided(gives) && isSame) return [rule]
  const { missing, stickiness } = gives
  if (missing === undefined) throw new NotExpressible('the result for contexts without the rollout field is unknown')
  return [
    { ...rule, when: { all: [when, createNonEmptyTest(stickiness)] } },
    { ...rule, gives: missing },
  ]
}

/** Returns true if the outcome splits contexts by percentage, so that they can get different results. */
export function isDivided({ on, offShare }: Outcome): boolean {
  return on.filter(({ share }) => share > 0).length + (offShare > 0 ? 1 : 0) > 1
}

interface StrategyParts {
  readonly constraints: SourceStrategy['constraints']
  readonly segments: readonly number[]
  readonly gives: Outcome
  readonly title: string | undefined
  readonly groupId: string
}

function toStrategy({ constraints, segments, gives, title, groupId }: StrategyParts): SourceStrategy {
  const percent = toPercent(gives)
  const variants = buildVariants(gives)
  const isWhole = percent === PERCENT
  return createStrategy({
    constraints,
    segments,
    variants,
    title: title ?? null,
    name: isWhole && variants.length === 0 ? 'default' : 'flexibleRollout',
    parameters: isWhole && variants.length === 0 ? {} : buildParameters(percent, gives.stickiness, groupId),
  })
}

/**
 * Returns the rollout parameters. At 100 %, the stickiness is `default`, so that contexts without the sticky field are
 * included.
 */
function buildParameters(percent: number, stickiness: string, groupId: string): Record<string, string> {
  return { rollout: String(percent), stickiness: percent === PERCENT ? 'default' : stickiness, groupId }
}

function sumOnShares({ on }: Outcome): number {
  return on.reduce((sum, { share }) => sum + share, 0)
}

/** Returns the percentage as a whole number. Rounds down, so that an import never includes more users. */
function toPercent(gives: Outcome): number {
  const on = sumOnShares(gives)
  return gives.offShare <= 0 ? PERCENT : Math.floor((on / (on + gives.offShare)) * PERCENT + 1e-9)
}

function buildVariants(gives: Outcome): VariantDefinition[] {
  const all = sumOnShares(gives)
  const parts = gives.on.filter(({ share }) => share > 0)
  const weights = parts.map(({ share }) => Math.floor((share / all) * ALL_PARTS))
  const rest = ALL_PARTS - weights.reduce((sum, weight) => sum + weight, 0)
  return parts.flatMap(({ variant }, index) => {
    if (variant === undefined) return []
    const weight = (weights[index] ?? 0) + (index < rest ? 1 : 0)
    return [{ weightType: 'variable', stickiness: gives.stickiness, ...variant, weight }]
  })
}

function describeDifferences(gives: Outcome, flag: string): string[] {
  const found: string[] = []
  const exact = (sumOnShares(gives) / (sumOnShares(gives) + gives.offShare)) * PERCENT
  if (gives.offShare > 0) {
    const whole = toPercent(gives)
    const shown = Math.abs(exact - whole) < 1e-9 ? `${whole} % stay ${whole} %` : `${exact} % become ${whole} %`
    found.push(`${shown}, but other people: the hash is another one`)
  } else if (gives.on.filter(({ share }) => share > 0).length > 1) {
    found.push(`shares of the variants stay as they are, but who gets which of ${flag} is another hash`)
  }
  return found
}
