import type { AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type {
  ChangeAction,
  ChangePayload,
  DefaultChange,
  ProposedChange,
} from '@burgee/protocol/administration/change-request'
import type { DependencyInput } from '@burgee/protocol/batch'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { parentText } from '../flag/parent-text.ts'
import type { FLAG_TEXTS } from '../flag/texts.ts'
import { constraintText, type SentenceTexts, sentenceOf } from '../strategy/strategy-sentence.ts'
import { comparedStates, fullStrategy, fullVariants, type Told } from './compared-states.ts'
import type { REQUEST_TEXTS } from './texts.ts'

/** A change described in words: the action, and the states before and after it. Ordered values get one line each. */
export interface ChangeText {
  readonly what: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Texts and lookups that build the sentences. */
export interface Telling {
  readonly own: (typeof REQUEST_TEXTS)['en']
  readonly words: SentenceTexts
  readonly parents: (typeof FLAG_TEXTS)['en']['dependencies']
  readonly segmentName: (id: number) => string
}

/** State of a flag in an environment, with its dependencies. */
export interface FlagNow extends AdminFeatureEnvironment {
  readonly dependencies?: readonly DependencyInput[]
}

type Now = FlagNow | undefined
type Change = Pick<ProposedChange, 'action' | 'payload'>
const payloadOf = <A extends ChangeAction>({ payload }: Change, _action: A): ChangePayload<A> =>
  payload as ChangePayload<A>

/**
 * Describes a change in words. `now` is the current state of the flag in the environment; undefined for closed
 * requests, whose previous state is unknown. `added` is the strategy that the flag gets when it is turned on.
 */
export function changeText(change: Change, now: Now, telling: Telling, added?: AddedStrategy): ChangeText {
  const { own } = telling
  const what = (own.actions as Readonly<Record<string, string>>)[change.action] ?? change.action
  if (change.action === 'updateEnabled') {
    const payload = payloadOf(change, 'updateEnabled')
    return { what: payload.enabled ? own.turnOn : own.turnOff, ...toggled(telling, payload, now, added) }
  }
  return { what, ...statesOf(change, now, telling) }
}

type States = Omit<ChangeText, 'what'>

/** Project's default strategy, which a flag without an enabled strategy gets when it is turned on. */
export type AddedStrategy = DefaultChange['payload']

function toggled(
  telling: Telling,
  change: ChangePayload<'updateEnabled'>,
  now: Now,
  added: AddedStrategy | undefined,
): States {
  const { own } = telling
  const said = (on: boolean) => (on ? own.on : own.off)
  const isMore = change.enabled && change.shouldActivateDisabledStrategies === true
  const adds = change.enabled && added !== undefined ? [own.adds(strategyText(added as SomeStrategy, telling))] : []
  return {
    before: now === undefined ? [] : [said(now.enabled)],
    after: [said(change.enabled), ...(isMore ? [own.activates] : []), ...adds],
  }
}

function statesOf(change: Change, now: Now, telling: Telling): States {
  const current = (id: string): AdminStrategy | undefined => now?.strategies.find((one) => one.id === id)
  switch (change.action) {
    case 'addStrategy':
      return comparedStrategies(undefined, payloadOf(change, 'addStrategy'), telling)
    case 'updateStrategy': {
      const { id, ...next } = payloadOf(change, 'updateStrategy')
      const before = current(id)
      return comparedStrategies(before, { ...before, constraints: [], variants: [], ...next } as SomeStrategy, telling)
    }
    case 'deleteStrategy': {
      const before = current(payloadOf(change, 'deleteStrategy').id)
      return { before: before === undefined ? [] : [strategyText(before, telling)], after: [] }
    }
    case 'reorderStrategy':
      return reordered(payloadOf(change, 'reorderStrategy'), now, telling)
    case 'patchVariant':
      return comparedStates(
        toldVariants((now?.variants ?? []) as VariantInput[], telling.words),
        toldVariants(payloadOf(change, 'patchVariant').variants, telling.words),
        telling.words,
      )
    case 'addDependency':
      return { before: parentsNow(now, telling), after: [parentLine(payloadOf(change, 'addDependency'), telling)] }
    case 'deleteDependency':
      return { before: parentsNow(now, telling), after: [] }
    case 'updateSegment':
      return { before: [], after: segmentLines(payloadOf(change, 'updateSegment'), telling) }
    default:
      return { before: [], after: [] }
  }
}

const parentLine = (parent: DependencyInput, { parents }: Telling): string =>
  `${parent.feature}: ${parentText(parents, parent)}`

const parentsNow = (now: Now, telling: Telling): string[] =>
  (now?.dependencies ?? []).map((parent) => parentLine(parent, telling))

function segmentLines(segment: ChangePayload<'updateSegment'>, { words }: Telling): string[] {
  const { id: _, name, constraints, ...rest } = segment
  const lines = constraints.map((one) => constraintText(words, one as never, Infinity))
  return comparedStates({ lines: [], value: {} }, { lines: [name, ...lines], value: rest }, words).after
}

type SomeStrategy = AdminStrategy | ChangePayload<'addStrategy'>

function comparedStrategies(before: AdminStrategy | undefined, after: SomeStrategy, telling: Telling): States {
  // For a new strategy, list only what differs from the defaults.
  const { name, sortOrder } = after
  const blank = { name, sortOrder, parameters: { stickiness: 'default' } }
  const told = (strategy: SomeStrategy): Told => ({
    lines: [strategyText(strategy, telling)],
    value: fullStrategy(strategy as StrategyInput),
  })
  return comparedStates(
    before === undefined ? { lines: [], value: fullStrategy(blank as StrategyInput) } : told(before),
    told(after),
    telling.words,
  )
}

/** Describes a strategy in one sentence, with its title and disabled state. */
export function strategyText(
  given: SomeStrategy,
  { own, words, segmentName }: Pick<Telling, 'words' | 'segmentName'> & { readonly own: { readonly disabled: string } },
): string {
  const { title, disabled } = given
  const strategy = { parameters: {}, ...given } as AdminStrategy
  const sentence = sentenceOf(words, strategy, segmentName, Infinity)
  return `${title ? `${title}: ` : ''}${sentence}${disabled ? ` (${own.disabled})` : ''}`
}

function reordered(order: ChangePayload<'reorderStrategy'>, now: Now, telling: Telling): States {
  if (now === undefined) return { before: [], after: [] }
  const places = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]))
  const sorted = (placeOf: (one: AdminStrategy) => number) =>
    [...now.strategies].sort((a, b) => placeOf(a) - placeOf(b))
  const before = sorted((one) => one.sortOrder)
  const after = sorted((one) => places.get(one.id) ?? one.sortOrder)
  const texts = now.strategies.map((one) => strategyText(one, telling))
  // Ids distinguish strategies with identical descriptions.
  const areAlike = new Set(texts).size < texts.length
  const said = (one: AdminStrategy, index: number) =>
    `${index + 1}. ${strategyText(one, telling)}${areAlike ? ` #${one.id}` : ''}`
  return { before: before.map(said), after: after.map(said) }
}

/** Lists variants with their weights in thousandths. */
export const toldVariants = (variants: readonly VariantInput[], { sentence }: SentenceTexts): Told => ({
  lines: variants.map(({ name, weight }) => `${name} (${sentence.share(weight / 10)})`),
  value: fullVariants(variants),
})
