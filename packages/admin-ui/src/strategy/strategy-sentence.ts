import type { Constraint } from '@burgee/protocol/feature'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { findListParameter } from './list-parameter.ts'
import { getOperandKind, isList } from './operators.ts'
import type { STRATEGY_TEXTS } from './texts.ts'

/** Maximum number of list values in a sentence. If there are more, the sentence contains their number. */
const MAX_VALUES = 3
/** Placeholder for a value that the user has not entered yet. */
const UNFINISHED = '…'

/** UI strings for the sentences, in the user's language. */
export type SentenceTexts = Pick<(typeof STRATEGY_TEXTS)['en'], 'sentence'>

/** Parts of a strategy that a sentence describes. */
export type DescribableStrategy = Pick<AdminStrategy, 'name' | 'parameters'> &
  Partial<Pick<AdminStrategy, 'constraints' | 'segments' | 'variants'>>

/**
 * Describes a strategy in one sentence, such as "50% of users, by userId, where country is DE or AT". Lists show at
 * most `most` of their values.
 */
export function describeStrategy(
  t: SentenceTexts,
  strategy: DescribableStrategy,
  segmentName: (id: number) => string,
  most = MAX_VALUES,
): string {
  const { subject, conditions } = describeMatch(t, strategy, segmentName, most)
  const where = conditions.length === 0 ? '' : `${t.sentence.where} ${conditions.join(` ${t.sentence.and} `)}`
  return `${subject}${where}${describeVariants(t, strategy.variants ?? [], most)}`
}

/** Describes the audience of a strategy: the subject of its sentence, and the conditions that follow "where". */
export function describeMatch(
  t: SentenceTexts,
  strategy: DescribableStrategy,
  segmentName: (id: number) => string,
  most = MAX_VALUES,
): { readonly subject: string; readonly conditions: readonly string[] } {
  const { constraints = [], segments = [] } = strategy
  const words = t.sentence
  const subject = describeAudience(t, strategy, most)
  const conditions = [
    ...constraints.map((constraint) => describeConstraint(t, constraint, most)),
    ...segments.map((id) => `${words.in} ${segmentName(id)}`),
  ]
  if (subject !== words.everybody || conditions.length === 0) return { subject, conditions }
  if (constraints.length > 0) return { subject: words.matching, conditions }
  const names = segments.map((id) => words.quote(segmentName(id))).join(` ${words.and} `)
  return { subject: `${words.matching}${words.inSegments(names)}`, conditions: [] }
}

function describeVariants(
  { sentence: words }: SentenceTexts,
  variants: NonNullable<DescribableStrategy['variants']>,
  most: number,
): string {
  const names = variants.map(({ name, weight }) => `${name} (${words.share(weight / 10)})`)
  if (names.length === 0) return ''
  if (names.length === 1) return `, ${words.getting} ${names[0]}`
  const shown = names.length <= most + 1 ? names : [...names.slice(0, most), words.more(names.length - most)]
  return `, ${words.split} ${shown.slice(0, -1).join(', ')} ${words.and} ${shown.at(-1)}`
}

/** Describes the users that a strategy matches if its constraints are ignored. */
export function describeAudience(
  t: SentenceTexts,
  { name, parameters }: DescribableStrategy,
  most = MAX_VALUES,
): string {
  const words = t.sentence
  const list = formatCommaSeparated(t, parameters[findListParameter(name) ?? ''], most)
  switch (name) {
    case 'default':
      return words.everybody
    case 'flexibleRollout':
      return describeRollout(t, parameters)
    case 'gradualRolloutUserId':
      return describeRollout(t, { rollout: parameters.percentage, stickiness: 'userId' })
    case 'gradualRolloutSessionId':
      return describeRollout(t, { rollout: parameters.percentage, stickiness: 'sessionId' })
    case 'gradualRolloutRandom':
      return describeRollout(t, { rollout: parameters.percentage, stickiness: 'random' })
    case 'userWithId':
      return words.listed(list)
    case 'remoteAddress':
      return words.addresses(list)
    case 'applicationHostname':
      return words.hosts(list)
    default:
      return words.custom(name)
  }
}

function describeRollout(
  t: SentenceTexts,
  { rollout = '0', stickiness = 'default' }: Readonly<Record<string, string | undefined>>,
): string {
  const percent = Number(rollout)
  if (percent >= 100) return t.sentence.everybody
  if (percent <= 0) return t.sentence.nobody
  const share = t.sentence.percent(percent)
  if (stickiness === 'default') return share
  return `${share}${stickiness === 'random' ? t.sentence.atRandom : t.sentence.by(stickiness)}`
}

/** Describes a constraint in words, such as "country is DE or AT". */
export function describeConstraint(t: SentenceTexts, constraint: Constraint, most = MAX_VALUES): string {
  const { contextName, operator, inverted, caseInsensitive } = constraint
  const verb = t.sentence.operators[operator] ?? operator
  const operand = describeOperand(t, constraint, most) || UNFINISHED
  const text = `${contextName} ${verb} ${operand}${caseInsensitive ? ` (${t.sentence.ignoringCase})` : ''}`
  return inverted ? t.sentence.not(text) : text
}

function describeOperand(t: SentenceTexts, { operator, values = [], value = '' }: Constraint, most: number): string {
  if (isList(getOperandKind(operator))) return formatShortList(t, values, most)
  return operator.startsWith('DATE_') ? t.sentence.dateOperand(value) : value
}

function formatCommaSeparated(t: SentenceTexts, commaSeparated: string | undefined, most: number): string {
  return formatShortList(
    t,
    (commaSeparated ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
    most,
  )
}

function formatShortList(t: SentenceTexts, values: readonly string[], most: number): string {
  const shown = values.length <= most + 1 ? values : values.slice(0, most)
  const rest = values.length - shown.length
  const parts = rest === 0 ? shown : [...shown, t.sentence.more(rest)]
  return parts.join(` ${t.sentence.or} `)
}
