import type { VariantDefinition } from '@burgee/protocol/feature'
import { strategyWith } from '../model/held-defaults.ts'
import type { HeldStrategy } from '../model/held-flags.ts'
import { ALWAYS, alternativesOf, type Condition, isAlways, NotExpressible } from './condition.ts'
import { hasText } from './tests.ts'

/** What somebody gets by a rule. */
export interface Outcome {
  /** Parts that are on; `variant` is undefined where a flag has none. Shares are of any sum together with `offShare`. */
  readonly on: readonly { readonly variant: Omit<VariantDefinition, 'weight'> | undefined; readonly share: number }[]
  readonly offShare: number
  /** Context field that shares stick to, or `default`. */
  readonly stickiness: string
  /** What a context without that field gets. Without it, shares cannot be imported: they would be drawn at random. */
  readonly missing?: Outcome | undefined
}

/** One rule of a list of which the first that applies decides. */
export interface OrderedRule {
  readonly when: Condition
  readonly gives: Outcome
  readonly title?: string | undefined
}

/** Strategies that mean the same as a list of rules, and what differs. */
export interface Compiled {
  readonly strategies: readonly HeldStrategy[]
  /** Sentences; empty where it is exact. */
  readonly differences: readonly string[]
}

/** An outcome that is off for everybody. */
export const OFF: Outcome = { on: [], offShare: 1, stickiness: 'default' }

const ALL_PARTS = 1000
const PERCENT = 100
const MOST_STRATEGIES = 60

/** On for everybody, with a variant or without. */
export function onWith(variant?: Omit<VariantDefinition, 'weight'>): Outcome {
  return { on: [{ variant, share: 1 }], offShare: 0, stickiness: 'default' }
}

/**
 * Writes a list of rules as strategies, of which any that holds is enough and the first one gives the variant. A rule that
 * turns people away becomes a condition of those behind it. Throws NotExpressible where that cannot be said exactly, but for
 * who is in a percentage.
 */
export function compileRules(rules: readonly OrderedRule[], groupId: string): Compiled {
  const strategies: HeldStrategy[] = []
  const differences = new Set<string>()
  const turnedAway: Condition[] = []
  for (const rule of rules.flatMap(withoutChance)) {
    const { when, gives, title } = rule
    if (onShare(gives) > 0) {
      const alternatives = alternativesOf({ all: [when, ...turnedAway.map((not) => ({ not }))] })
      const made = alternatives.map((one) => strategyOf({ ...one, gives, title, groupId }))
      strategies.push(...made)
      for (const difference of differencesOf(gives, groupId)) differences.add(difference)
    }
    if (isAlways(when)) break
    if (gives.offShare > 0) turnedAway.push(when)
    if (strategies.length > MOST_STRATEGIES)
      throw new NotExpressible(`it needs more than ${MOST_STRATEGIES} strategies`)
  }
  return { strategies, differences: [...differences] }
}

/**
 * A rule with shares as two rules: shares for contexts that have the sticky field, and what the source gives to the others.
 * Here a share without its field would be drawn at random for each request, which no source does.
 */
function withoutChance(rule: OrderedRule): OrderedRule[] {
  const { when, gives } = rule
  const isSame = gives.missing === undefined || JSON.stringify(gives.missing.on) === JSON.stringify(gives.on)
  if (!isDivided(gives) && isSame) return [rule]
  const { missing, stickiness } = gives
  if (missing === undefined) throw new NotExpressible('what contexts without the field of its shares get is not known')
  return [
    { ...rule, when: { all: [when, hasText(stickiness)] } },
    { ...rule, gives: missing },
  ]
}

/** Whether an outcome differs between contexts. */
export function isDivided({ on, offShare }: Outcome): boolean {
  return on.filter(({ share }) => share > 0).length + (offShare > 0 ? 1 : 0) > 1
}

interface StrategyParts {
  readonly constraints: HeldStrategy['constraints']
  readonly segments: readonly number[]
  readonly gives: Outcome
  readonly title: string | undefined
  readonly groupId: string
}

function strategyOf({ constraints, segments, gives, title, groupId }: StrategyParts): HeldStrategy {
  const percent = percentOf(gives)
  const variants = variantsOf(gives)
  const isWhole = percent === PERCENT
  return strategyWith({
    ...{ constraints, segments, variants, title: title ?? null },
    name: isWhole && variants.length === 0 ? 'default' : 'flexibleRollout',
    parameters: isWhole && variants.length === 0 ? {} : parametersOf(percent, gives.stickiness, groupId),
  })
}

/** At 100 % nobody may be left out for want of the field. */
function parametersOf(percent: number, stickiness: string, groupId: string): Record<string, string> {
  return { rollout: String(percent), stickiness: percent === PERCENT ? 'default' : stickiness, groupId }
}

function onShare({ on }: Outcome): number {
  return on.reduce((sum, { share }) => sum + share, 0)
}

/** Whole percents: never more than it was. */
function percentOf(gives: Outcome): number {
  const on = onShare(gives)
  return gives.offShare <= 0 ? PERCENT : Math.floor((on / (on + gives.offShare)) * PERCENT + 1e-9)
}

function variantsOf(gives: Outcome): VariantDefinition[] {
  const all = onShare(gives)
  const parts = gives.on.filter(({ share }) => share > 0)
  const weights = parts.map(({ share }) => Math.floor((share / all) * ALL_PARTS))
  const rest = ALL_PARTS - weights.reduce((sum, weight) => sum + weight, 0)
  return parts.flatMap(({ variant }, index) => {
    if (variant === undefined) return []
    const weight = (weights[index] ?? 0) + (index < rest ? 1 : 0)
    return [{ weightType: 'variable', stickiness: gives.stickiness, ...variant, weight }]
  })
}

function differencesOf(gives: Outcome, flag: string): string[] {
  const found: string[] = []
  const exact = (onShare(gives) / (onShare(gives) + gives.offShare)) * PERCENT
  if (gives.offShare > 0) {
    const whole = percentOf(gives)
    const shown = Math.abs(exact - whole) < 1e-9 ? `${whole} % stay ${whole} %` : `${exact} % become ${whole} %`
    found.push(`${shown}, but other people: the hash is another one`)
  } else if (gives.on.filter(({ share }) => share > 0).length > 1) {
    found.push(`shares of the variants stay as they are, but who gets which of ${flag} is another hash`)
  }
  return found
}

/** The rules of a flag that is the same for everybody. */
export function always(gives: Outcome): OrderedRule[] {
  return [{ when: ALWAYS, gives }]
}
