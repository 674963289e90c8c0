import { ALWAYS, type Condition } from '../rules/condition.ts'
import { type OrderedRule, type Outcome, onWith } from '../rules/ordered-rules.ts'
import { isIn } from '../rules/tests.ts'
import { isSwitch, type NamedValue, outcomeOf, sharedOutcome } from '../rules/typed-values.ts'
import { attributeOf, clausesOf, type FindSegment, objectsOf } from './clauses.ts'

type Json = Readonly<Record<string, unknown>>

const WHOLE = 100_000

/** A flag's rules in one environment, in the order in which they are tried: targets, rules, all others. */
export function rulesOfState(state: Json, values: readonly NamedValue[], findSegment: FindSegment): OrderedRule[] {
  if (state.on !== true) {
    // whoever asks gets this value then; that of a variant cannot be told from off
    const isTrue = isSwitch(values) && values[Number(state.offVariation ?? Number.NaN)]?.value === true
    return isTrue ? [{ when: ALWAYS, gives: onWith() }] : []
  }
  const rules = objectsOf(state.rules).map((rule) => ruleOf(rule, clausesOf(rule.clauses, findSegment), values))
  return [
    ...targetsOf(state, values),
    ...rules,
    ruleOf(isRecord(state.fallthrough) ? state.fallthrough : {}, ALWAYS, values),
  ]
}

function targetsOf(state: Json, values: readonly NamedValue[]): OrderedRule[] {
  const users = objectsOf(state.targets)
  const others = objectsOf(state.contextTargets).filter(({ values: keys }) => Array.isArray(keys) && keys.length > 0)
  return [...users, ...others].flatMap(({ values: keys, variation, contextKind }) => {
    if (!Array.isArray(keys) || keys.length === 0) return []
    const isUser = contextKind === undefined || contextKind === '' || contextKind === 'user'
    const when: Condition = isUser
      ? isIn('userId', keys)
      : { unknown: `it targets contexts of the kind "${contextKind}"` }
    return [{ when, gives: outcomeOf(values, Number(variation)), title: 'individual targets' }]
  })
}

function ruleOf(rule: Json, when: Condition, values: readonly NamedValue[]): OrderedRule {
  const title = typeof rule.description === 'string' && rule.description !== '' ? rule.description : undefined
  const { rollout, variation } = rule
  if (!isRecord(rollout)) return { when, gives: outcomeOf(values, Number(variation ?? Number.NaN)), title }
  const field = attributeOf({ attribute: rollout.bucketBy ?? 'key', contextKind: rollout.contextKind })
  if (typeof field !== 'string') return { when: field, gives: onWith(), title }
  return { when, gives: rolledOut(rollout, values, field), title }
}

/** What weights leave over goes to the last one. */
function rolledOut(rollout: Json, values: readonly NamedValue[], field: string): Outcome {
  const rows = objectsOf(rollout.variations).map(({ variation, weight }) => ({
    index: Number(variation),
    share: Number(weight) || 0,
  }))
  const given = rows.reduce((sum, { share }) => sum + share, 0)
  const last = rows.length - 1
  const shares = rows.map((row, at) =>
    at === last && given < WHOLE ? { ...row, share: row.share + WHOLE - given } : row,
  )
  const [only, ...others] = shares.filter(({ share }) => share > 0)
  if (only !== undefined && others.length === 0) return outcomeOf(values, only.index)
  // there a context without the attribute is in the first bucket
  const missing = outcomeOf(values, only?.index ?? Number.NaN)
  return sharedOutcome(values, { shares, stickiness: field, missing })
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
