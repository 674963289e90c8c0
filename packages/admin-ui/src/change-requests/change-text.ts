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
import { describeParent } from '../flag/parent-text.ts'
import type { FLAG_TEXTS } from '../flag/texts.ts'
import { describeConstraint, describeStrategy, type SentenceTexts } from '../strategy/strategy-sentence.ts'
import { compareStates, type DescribedState, withStrategyDefaults, withVariantDefaults } from './state-comparison.ts'
import type { REQUEST_TEXTS } from './texts.ts'

/**
 * Change described in words: the action, and the states before and after. If the order of values matters, each value
 * has its own line.
 */
export interface ChangeText {
  readonly what: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** UI strings and lookups for building the sentences. */
export interface ChangeTextContext {
  readonly own: (typeof REQUEST_TEXTS)['en']
  readonly words: SentenceTexts
  readonly parents: (typeof FLAG_TEXTS)['en']['dependencies']
  readonly segmentName: (id: number) => string
}

/** State of a flag in an environment, and the flag's dependencies. */
export interface CurrentFlag extends Pick<AdminFeatureEnvironment, 'enabled' | 'strategies' | 'variants'> {
  readonly dependencies?: readonly DependencyInput[]
}

type MaybeCurrentFlag = CurrentFlag | undefined
type Change = Pick<ProposedChange, 'action' | 'payload'>
const getPayload = <A extends ChangeAction>({ payload }: Change, _action: A): ChangePayload<A> =>
  payload as ChangePayload<A>

/**
 * Describes a proposed change in words. `now` is the current state of the flag in the environment; undefined for closed
 * requests, because their previous state is unknown. `added` is the default strategy that is added if the change turns
 * the flag on.
 */
export function describeChange(
  change: Change,
  now: MaybeCurrentFlag,
  telling: ChangeTextContext,
  added?: AddedStrategy,
): ChangeText {
  const { own } = telling
  const what = (own.actions as Readonly<Record<string, string>>)[change.action] ?? change.action
  if (change.action === 'updateEnabled') {
    const payload = getPayload(change, 'updateEnabled')
    return { what: payload.enabled ? own.turnOn : own.turnOff, ...describeToggle(telling, payload, now, added) }
  }
  return { what, ...describeStates(change, now, telling) }
}

type ChangeStates = Omit<ChangeText, 'what'>

/** Default strategy of a project. A flag without an enabled strategy gets this strategy when the flag is turned on. */
export type AddedStrategy = DefaultChange['payload']

function describeToggle(
  telling: ChangeTextContext,
  change: ChangePayload<'updateEnabled'>,
  now: MaybeCurrentFlag,
  added: AddedStrategy | undefined,
): ChangeStates {
  const { own } = telling
  const toText = (on: boolean) => (on ? own.on : own.off)
  const isMore = change.enabled && change.shouldActivateDisabledStrategies === true
  const adds =
    change.enabled && added !== undefined ? [own.adds(describeTitledStrategy(added as AnyStrategy, telling))] : []
  return {
    before: now === undefined ? [] : [toText(now.enabled)],
    after: [toText(change.enabled), ...(isMore ? [own.activates] : []), ...adds],
  }
}

function describeStates(change: Change, now: MaybeCurrentFlag, telling: ChangeTextContext): ChangeStates {
  const current = (id: string): AdminStrategy | undefined => now?.strategies.find((one) => one.id === id)
  switch (change.action) {
    case 'addStrategy':
      return compareStrategies(undefined, getPayload(change, 'addStrategy'), telling)
    case 'updateStrategy': {
      const { id, ...next } = getPayload(change, 'updateStrategy')
      const before = current(id)
      return compareStrategies(before, { ...before, constraints: [], variants: [], ...next } as AnyStrategy, telling)
    }
    case 'deleteStrategy': {
      const before = current(getPayload(change, 'deleteStrategy').id)
      return { before: before === undefined ? [] : [describeTitledStrategy(before, telling)], after: [] }
    }
    case 'reorderStrategy':
      return describeOrder(getPayload(change, 'reorderStrategy'), now, telling)
    case 'patchVariant':
      return compareStates(
        describeVariants((now?.variants ?? []) as VariantInput[], telling.words),
        describeVariants(getPayload(change, 'patchVariant').variants, telling.words),
        telling.words,
      )
    case 'addDependency':
      return {
        before: formatCurrentParents(now, telling),
        after: [formatParent(getPayload(change, 'addDependency'), telling)],
      }
    case 'deleteDependency':
      return { before: formatCurrentParents(now, telling), after: [] }
    case 'updateSegment':
      return { before: [], after: describeSegment(getPayload(change, 'updateSegment'), telling) }
    default:
      return { before: [], after: [] }
  }
}

const formatParent = (parent: DependencyInput, { parents }: ChangeTextContext): string =>
  `${parent.feature}: ${describeParent(parents, parent)}`

const formatCurrentParents = (now: MaybeCurrentFlag, telling: ChangeTextContext): string[] =>
  (now?.dependencies ?? []).map((parent) => formatParent(parent, telling))

function describeSegment(segment: ChangePayload<'updateSegment'>, { words }: ChangeTextContext): string[] {
  const { id: _, name, constraints, ...rest } = segment
  const lines = constraints.map((one) => describeConstraint(words, one as never, Infinity))
  return compareStates({ lines: [], value: {} }, { lines: [name, ...lines], value: rest }, words).after
}

type AnyStrategy = AdminStrategy | ChangePayload<'addStrategy'>

function compareStrategies(
  before: AdminStrategy | undefined,
  after: AnyStrategy,
  telling: ChangeTextContext,
): ChangeStates {
  // For a new strategy, list only the properties that differ from the defaults.
  const { name, sortOrder } = after
  const blank = { name, sortOrder, parameters: { stickiness: 'default' } }
  const toState = (strategy: AnyStrategy): DescribedState => ({
    lines: [describeTitledStrategy(strategy, telling)],
    value: withStrategyDefaults(strategy as StrategyInput),
  })
  return compareStates(
    before === undefined ? { lines: [], value: withStrategyDefaults(blank as StrategyInput) } : toState(before),
    toState(after),
    telling.words,
  )
}

/** Describes a strategy in one sentence, with its title and disabled state. */
export function describeTitledStrategy(
  given: AnyStrategy,
  {
    own,
    words,
    segmentName,
  }: Pick<ChangeTextContext, 'words' | 'segmentName'> & { readonly own: { readonly disabled: string } },
): string {
  const { title, disabled } = given
  const strategy = { parameters: {}, ...given } as AdminStrategy
  const sentence = describeStrategy(words, strategy, segmentName, Infinity)
  return `${title ? `${title}: ` : ''}${sentence}${disabled ? ` (${own.disabled})` : ''}`
}

function describeOrder(
  order: ChangePayload<'reorderStrategy'>,
  now: MaybeCurrentFlag,
  telling: ChangeTextContext,
): ChangeStates {
  if (now === undefined) return { before: [], after: [] }
  const places = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]))
  const sorted = (placeOf: (one: AdminStrategy) => number) =>
    [...now.strategies].sort((a, b) => placeOf(a) - placeOf(b))
  const before = sorted((one) => one.sortOrder)
  const after = sorted((one) => places.get(one.id) ?? one.sortOrder)
  const texts = now.strategies.map((one) => describeTitledStrategy(one, telling))
  // Ids are shown to distinguish strategies with identical descriptions.
  const areAlike = new Set(texts).size < texts.length
  const describe = (one: AdminStrategy, index: number) =>
    `${index + 1}. ${describeTitledStrategy(one, telling)}${areAlike ? ` #${one.id}` : ''}`
  return { before: before.map(describe), after: after.map(describe) }
}

/** Lists variants with their weights, which are in thousandths. */
export const describeVariants = (variants: readonly VariantInput[], { sentence }: SentenceTexts): DescribedState => ({
  lines: variants.map(({ name, weight }) => `${name} (${sentence.share(weight / 10)})`),
  value: withVariantDefaults(variants),
})
