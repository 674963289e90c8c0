import { isObject } from '@burgee/kit/input/is-object'
import { createInTest } from '../rules/attribute-tests.ts'
import { ALWAYS, type Condition } from '../rules/condition.ts'
import { createOnOutcome, OFF, type OrderedRule, type Outcome } from '../rules/ordered-rules.ts'
import { createSharedOutcome, type FlagValues, toValueOutcome } from '../rules/typed-values.ts'
import { convertClauses, type FindSegment, parseAttribute } from './clauses.ts'
import { findUnreadKey } from './known-keys.ts'

type Json = Readonly<Record<string, unknown>>

const WHOLE = 100_000

/** Returns a flag's rules in one environment, in evaluation order: targets, rules, fallthrough. */
export function listStateRules(state: Json, values: FlagValues, findSegment: FindSegment): OrderedRule[] {
  if (state.on !== true) {
    // LaunchDarkly serves the off variation for a flag that is off; this cannot be expressed here if that variation is
    // a variant
    return isTrueWhenOff(state, values) ? [{ when: ALWAYS, gives: createOnOutcome() }] : []
  }
  const unread = findUnreadKey('flag', state)
  if (unread !== undefined) return [createUnreadableRule(unread)]
  return [
    ...convertTargets(state, values),
    ...toList(state.rules).flatMap((rule) => convertRule(rule, values, findSegment)),
    { when: ALWAYS, gives: convertChoice(state.fallthrough, values) },
  ].map(replaceUnknown)
}

/**
 * Returns true if the off variation of a boolean flag is true. LaunchDarkly serves the off variation if the flag is off
 * or a prerequisite is not met.
 */
export function isTrueWhenOff({ offVariation }: Json, values: FlagValues): boolean {
  return !values.areVariants && values.list[toVariationIndex(offVariation)]?.value === true
}

type Choice = Outcome | { readonly unknown: string }

function replaceUnknown({ when, gives, title }: { when: Condition; gives: Choice; title?: string | undefined }) {
  return 'unknown' in gives ? createUnreadableRule(gives) : { when, gives, title }
}

function createUnreadableRule(when: Condition): OrderedRule {
  return { when, gives: createOnOutcome() }
}

/**
 * Converts the targets. If `contextTargets` is not empty, it determines the targets and their order; its entries for
 * users take their keys from `targets`.
 */
function convertTargets(state: Json, values: FlagValues): OrderedRule[] {
  const users = toList(state.targets)
  const others = toList(state.contextTargets)
  if (others.length === 0) return users.map((target) => convertTarget(target, values))
  return others.flatMap((target) => {
    if (!isObject(target) || !isUserKind(target.contextKind)) return [convertTarget(target, values)]
    const own = users.find((one) => isObject(one) && one.variation === target.variation)
    return own === undefined ? [] : [convertTarget(own, values)]
  })
}

function convertTarget(target: unknown, values: FlagValues): OrderedRule {
  if (!isObject(target) || !Array.isArray(target.values))
    return createUnreadableRule({ unknown: 'a target is not a list of keys' })
  const unread = findUnreadKey('target', target)
  if (unread !== undefined) return createUnreadableRule(unread)
  const { variation, contextKind } = target
  const keys = target.values.filter((key) => typeof key === 'string')
  const when: Condition =
    isUserKind(contextKind) || keys.length === 0
      ? createInTest('userId', keys)
      : { unknown: `it targets contexts of the kind "${contextKind}"` }
  return { when, gives: toValueOutcome(values, toVariationIndex(variation)), title: 'individual targets' }
}

function isUserKind(kind: unknown): boolean {
  return kind === undefined || kind === null || kind === '' || kind === 'user'
}

/** Converts a rule. A rule without a list of clauses matches no one. */
function convertRule(
  rule: unknown,
  values: FlagValues,
  findSegment: FindSegment,
): { when: Condition; gives: Choice; title?: string | undefined }[] {
  if (!isObject(rule)) return [createUnreadableRule({ unknown: 'a rule is not an object' })]
  const unread = findUnreadKey('rule', rule)
  if (unread !== undefined) return [createUnreadableRule(unread)]
  if (rule.disabled === true || rule.clauses === undefined || rule.clauses === null) return []
  const title = typeof rule.description === 'string' && rule.description !== '' ? rule.description : undefined
  return [{ when: convertClauses(rule.clauses, findSegment), gives: convertChoice(rule, values), title }]
}

/**
 * Returns one value, or several values with percentages. LaunchDarkly treats everything else as an error and uses the
 * default in the application's code.
 */
function convertChoice(choice: unknown, values: FlagValues): Choice {
  if (!isObject(choice)) return OFF
  const { variation, rollout } = choice
  if (variation !== undefined && variation !== null) return toValueOutcome(values, toVariationIndex(variation))
  if (!isObject(rollout) || toList(rollout.variations).length === 0) return OFF
  const unread = findUnreadKey('rollout', rollout)
  if (unread !== undefined) return unread
  const bucketBy = rollout.kind === 'experiment' ? undefined : rollout.bucketBy
  const isNamed = bucketBy !== undefined && bucketBy !== null && bucketBy !== ''
  const field = parseAttribute({ attribute: isNamed ? bucketBy : 'key', contextKind: rollout.contextKind })
  if (typeof field === 'string') return convertRollout(toList(rollout.variations), values, field)
  return 'unknown' in field ? field : OFF
}

/** Converts a rollout. Weights beyond 100 % are ignored, and the last variation gets the remainder. */
function convertRollout(variations: readonly unknown[], values: FlagValues, field: string): Choice {
  const rows = variations.map((row) => (isObject(row) ? row : {}))
  const isRead = rows.every(({ weight }) => typeof weight === 'number' && weight >= 0)
  if (!isRead) return { unknown: 'a weight of its rollout is not a number' }
  let left = WHOLE
  const shares = rows.map(({ variation, weight }, at) => {
    const share = at === rows.length - 1 ? left : Math.min(left, Number(weight))
    left -= share
    return { index: toVariationIndex(variation), share }
  })
  const [first, ...others] = shares.filter(({ share }) => share > 0)
  const missing = toValueOutcome(values, first?.index ?? Number.NaN)
  if (others.length === 0) return missing
  // in LaunchDarkly, a context without the attribute is in the first bucket
  return createSharedOutcome(values, { shares, stickiness: field, missing })
}

/** Returns a variation index, or NaN if the value is not a number. */
function toVariationIndex(variation: unknown): number {
  return typeof variation === 'number' ? variation : Number.NaN
}

function toList(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}
