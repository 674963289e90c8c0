import type { AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { ChangeAction, ChangePayload, ProposedChange } from '@burgee/protocol/administration/change-request'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { constraintText, type SentenceTexts, sentenceOf } from '../strategy/strategy-sentence.ts'
import type { REQUEST_TEXTS } from './texts.ts'

/** A change in words: what is done, and what is so before and after; several lines for what has an order. */
export interface ChangeText {
  readonly what: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** What the sentences are made with. */
export interface Telling {
  readonly own: (typeof REQUEST_TEXTS)['en']
  readonly words: SentenceTexts
  readonly segmentName: (id: number) => string
}

type Now = AdminFeatureEnvironment | undefined
type Change = Pick<ProposedChange, 'action' | 'payload'>
const payloadOf = <A extends ChangeAction>({ payload }: Change, _action: A): ChangePayload<A> =>
  payload as ChangePayload<A>

/**
 * A change in words. `now` is what its flag is like in the environment: left out once that is past, when nothing says any
 * more what was so before.
 */
export function changeText(change: Change, now: Now, telling: Telling): ChangeText {
  const { own } = telling
  const what = (own.actions as Readonly<Record<string, string>>)[change.action] ?? change.action
  if (change.action === 'updateEnabled') {
    const { enabled } = payloadOf(change, 'updateEnabled')
    return { what: enabled ? own.turnOn : own.turnOff, ...toggled(own, enabled, now) }
  }
  return { what, ...statesOf(change, now, telling) }
}

type States = Omit<ChangeText, 'what'>

function toggled(own: Telling['own'], enabled: boolean, now: Now): States {
  const said = (on: boolean) => [on ? own.on : own.off]
  return { before: now === undefined ? [] : said(now.enabled), after: said(enabled) }
}

function statesOf(change: Change, now: Now, telling: Telling): States {
  const current = (id: string): AdminStrategy | undefined => now?.strategies.find((one) => one.id === id)
  const lines = (strategy: SomeStrategy | undefined) => (strategy ? [strategyText(strategy, telling)] : [])
  switch (change.action) {
    case 'addStrategy':
      return { before: [], after: lines(payloadOf(change, 'addStrategy')) }
    case 'updateStrategy': {
      const { id, ...next } = payloadOf(change, 'updateStrategy')
      const before = current(id)
      return {
        before: lines(before),
        after: lines({ ...before, constraints: [], variants: [], ...next } as SomeStrategy),
      }
    }
    case 'deleteStrategy':
      return { before: lines(current(payloadOf(change, 'deleteStrategy').id)), after: [] }
    case 'reorderStrategy':
      return reordered(payloadOf(change, 'reorderStrategy'), now, telling)
    case 'patchVariant':
      return {
        before: variantLines(now?.variants ?? []),
        after: variantLines(payloadOf(change, 'patchVariant').variants),
      }
    case 'addDependency':
      return { before: [], after: [payloadOf(change, 'addDependency').feature] }
    case 'updateSegment': {
      const { name, constraints } = payloadOf(change, 'updateSegment')
      return { before: [], after: [name, ...constraints.map((one) => constraintText(telling.words, one as never))] }
    }
    default:
      return { before: [], after: [] }
  }
}

type SomeStrategy = AdminStrategy | ChangePayload<'addStrategy'>

function strategyText(given: SomeStrategy, { own, words, segmentName }: Telling): string {
  const { title, disabled } = given
  const strategy = { parameters: {}, ...given } as AdminStrategy
  const sentence = sentenceOf(words, strategy, segmentName)
  return `${title ? `${title}: ` : ''}${sentence}${disabled ? ` (${own.disabled})` : ''}`
}

function reordered(order: ChangePayload<'reorderStrategy'>, now: Now, telling: Telling): States {
  if (now === undefined) return { before: [], after: [] }
  const places = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]))
  const said = (placeOf: (one: AdminStrategy) => number) =>
    [...now.strategies]
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map((one, index) => `${index + 1}. ${strategyText(one, telling)}`)
  return { before: said((one) => one.sortOrder), after: said((one) => places.get(one.id) ?? one.sortOrder) }
}

/** A weight is in thousandths. */
const variantLines = (variants: readonly { readonly name: string; readonly weight: number }[]): string[] =>
  variants.map(({ name, weight }) => `${name} (${weight / 10} %)`)
