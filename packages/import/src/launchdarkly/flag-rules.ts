import { isObject } from '@burgee/serving/document/feature-document'
import { ALWAYS, type Condition } from '../rules/condition.ts'
import { OFF, type OrderedRule, type Outcome, onWith } from '../rules/ordered-rules.ts'
import { isIn } from '../rules/tests.ts'
import { type FlagValues, outcomeOf, sharedOutcome } from '../rules/typed-values.ts'
import { attributeOf, clausesOf, type FindSegment } from './clauses.ts'
import { unreadKey } from './known-keys.ts'

type Json = Readonly<Record<string, unknown>>

const WHOLE = 100_000

/** Returns a flag's rules in one environment, in evaluation order: targets, rules, fallthrough. */
export function rulesOfState(state: Json, values: FlagValues, findSegment: FindSegment): OrderedRule[] {
  if (state.on !== true) {
    // LaunchDarkly then serves the off variation; if that is a variant, it cannot be expressed here
    return isTrueWhenOff(state, values) ? [{ when: ALWAYS, gives: onWith() }] : []
  }
  const unread = unreadKey('flag', state)
  if (unread !== undefined) return [unreadable(unread)]
  return [
    ...targetsOf(state, values),
    ...listOf(state.rules).flatMap((rule) => ruleOf(rule, values, findSegment)),
    { when: ALWAYS, gives: choiceOf(state.fallthrough, values) },
  ].map(withoutUnknown)
}

/**
 * Returns true if the off variation of a boolean flag is true. It is served if the flag is off or a prerequisite is not
 * met.
 */
export function isTrueWhenOff({ offVariation }: Json, values: FlagValues): boolean {
  return !values.areVariants && values.list[indexOf(offVariation)]?.value === true
}

type Choice = Outcome | { readonly unknown: string }

function withoutUnknown({ when, gives, title }: { when: Condition; gives: Choice; title?: string | undefined }) {
  return 'unknown' in gives ? unreadable(gives) : { when, gives, title }
}

function unreadable(when: Condition): OrderedRule {
  return { when, gives: onWith() }
}

/**
 * Converts the targets. If targets list contexts of several kinds, only the list of these kinds determines the order.
 */
function targetsOf(state: Json, values: FlagValues): OrderedRule[] {
  const users = listOf(state.targets)
  const others = listOf(state.contextTargets)
  if (others.length === 0) return users.map((target) => targetOf(target, values))
  return others.flatMap((target) => {
    if (!isObject(target) || !isUserKind(target.contextKind)) return [targetOf(target, values)]
    const own = users.find((one) => isObject(one) && one.variation === target.variation)
    return own === undefined ? [] : [targetOf(own, values)]
  })
}

function targetOf(target: unknown, values: FlagValues): OrderedRule {
  if (!isObject(target) || !Array.isArray(target.values)) return unreadable({ unknown: 'a target is no list of keys' })
  const unread = unreadKey('target', target)
  if (unread !== undefined) return unreadable(unread)
  const { variation, contextKind } = target
  const keys = target.values.filter((key) => typeof key === 'string')
  const when: Condition =
    isUserKind(contextKind) || keys.length === 0
      ? isIn('userId', keys)
      : { unknown: `it targets contexts of the kind "${contextKind}"` }
  return { when, gives: outcomeOf(values, indexOf(variation)), title: 'individual targets' }
}

function isUserKind(kind: unknown): boolean {
  return kind === undefined || kind === null || kind === '' || kind === 'user'
}

/** Converts a rule. A rule without a list of clauses matches nobody. */
function ruleOf(
  rule: unknown,
  values: FlagValues,
  findSegment: FindSegment,
): { when: Condition; gives: Choice; title?: string | undefined }[] {
  if (!isObject(rule)) return [unreadable({ unknown: 'a rule is no object' })]
  const unread = unreadKey('rule', rule)
  if (unread !== undefined) return [unreadable(unread)]
  if (rule.disabled === true || rule.clauses === undefined || rule.clauses === null) return []
  const title = typeof rule.description === 'string' && rule.description !== '' ? rule.description : undefined
  return [{ when: clausesOf(rule.clauses, findSegment), gives: choiceOf(rule, values), title }]
}

/**
 * Returns one value, or shares of several values. Anything else is an error in LaunchDarkly, which then uses the
 * default in the application's code.
 */
function choiceOf(choice: unknown, values: FlagValues): Choice {
  if (!isObject(choice)) return OFF
  const { variation, rollout } = choice
  if (variation !== undefined && variation !== null) return outcomeOf(values, indexOf(variation))
  if (!isObject(rollout) || listOf(rollout.variations).length === 0) return OFF
  const unread = unreadKey('rollout', rollout)
  if (unread !== undefined) return unread
  const bucketBy = rollout.kind === 'experiment' ? undefined : rollout.bucketBy
  const isNamed = bucketBy !== undefined && bucketBy !== null && bucketBy !== ''
  const field = attributeOf({ attribute: isNamed ? bucketBy : 'key', contextKind: rollout.contextKind })
  if (typeof field === 'string') return rolledOut(listOf(rollout.variations), values, field)
  return 'unknown' in field ? field : OFF
}

/** Converts a rollout. Weights beyond 100 % are ignored, and the last variation gets the remainder. */
function rolledOut(variations: readonly unknown[], values: FlagValues, field: string): Choice {
  const rows = variations.map((row) => (isObject(row) ? row : {}))
  const isRead = rows.every(({ weight }) => typeof weight === 'number' && weight >= 0)
  if (!isRead) return { unknown: 'a weight of its rollout is no number' }
  let left = WHOLE
  const shares = rows.map(({ variation, weight }, at) => {
    const share = at === rows.length - 1 ? left : Math.min(left, Number(weight))
    left -= share
    return { index: indexOf(variation), share }
  })
  const [first, ...others] = shares.filter(({ share }) => share > 0)
  const missing = outcomeOf(values, first?.index ?? Number.NaN)
  if (others.length === 0) return missing
  // in LaunchDarkly, a context without the attribute is in the first bucket
  return sharedOutcome(values, { shares, stickiness: field, missing })
}

/** Returns a variation index; NaN for anything that is not a number. */
function indexOf(variation: unknown): number {
  return typeof variation === 'number' ? variation : Number.NaN
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}
