import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type {
  EnvironmentSnapshot,
  FlagDifference,
  ParentSnapshot,
  SegmentSnapshot,
} from '@burgee/protocol/administration/flag-history'
import type { Tag } from '@burgee/protocol/event'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { describeParent } from '../flag/parent-text.ts'
import type { FLAG_TEXTS } from '../flag/texts.ts'
import { describeConstraint, describeStrategy, type SentenceTexts } from '../strategy/strategy-sentence.ts'
import type { PastTexts } from './texts.ts'

/**
 * Difference in words: the change itself, and the states before and after. The states are empty if `what` describes the
 * difference completely.
 */
export interface DifferenceText {
  readonly what: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** UI strings and lookups for building the sentences. */
export interface DifferenceContext {
  readonly own: PastTexts
  readonly words: SentenceTexts
  readonly parents: (typeof FLAG_TEXTS)['en']['dependencies']
  /** Names of flag types and segments. */
  readonly types: Readonly<Record<string, string>>
  readonly segmentName: (id: number) => string
}

type DifferenceFormatter = (before: unknown, after: unknown, telling: DifferenceContext) => DifferenceText

const createBareText = (what: string): DifferenceText => ({ what, before: [], after: [] })

/** Functions that describe differences, one for each part of a flag. */
const FORMATTERS: Readonly<Record<FlagDifference['part'], DifferenceFormatter>> = {
  existence: (_before, after, { own }) => createBareText(after === true ? own.says.created : own.says.gone),
  project: (before, after, { own }) => createLineText(own.says.project, [String(before)], [String(after)]),
  description: (before, after, { own }) => createLineText(own.says.description, toLines(before), toLines(after)),
  type: (before, after, { own, types }) =>
    createLineText(own.says.type, [types[String(before)] ?? String(before)], [types[String(after)] ?? String(after)]),
  impressionData: (_before, after, { own }) =>
    createBareText(after === true ? own.says.impressionsOn : own.says.impressionsOff),
  stale: (_before, after, { own }) => createBareText(after === true ? own.says.staleOn : own.says.staleOff),
  archived: (_before, after, { own }) => createBareText(after === true ? own.says.archivedOn : own.says.archivedOff),
  environment: (before, after, telling) =>
    createLineText(
      after === null ? telling.own.says.environmentOff : telling.own.says.environmentOn,
      describeEnvironment(before as EnvironmentSnapshot | null, telling),
      describeEnvironment(after as EnvironmentSnapshot | null, telling),
    ),
  enabled: (_before, after, { own }) => createBareText(after === true ? own.says.turnedOn : own.says.turnedOff),
  strategy: (before, after, telling) =>
    describeStrategyChange(before as Strategy | null, after as Strategy | null, telling),
  strategyOrder: (_before, _after, { own }) => createBareText(own.says.order),
  variants: (before, after, { own, words }) =>
    createLineText(own.says.variants, describeVariants(before, words), describeVariants(after, words)),
  dependencies: (before, after, { own, parents }) => {
    const describe = (list: unknown) =>
      (list as ParentSnapshot[]).map((one) => `${one.feature}: ${describeParent(parents, one)}`)
    return createLineText(own.says.parent, describe(before), describe(after))
  },
  tags: (before, after, { own }) => {
    const toTexts = (list: unknown) => (list as Tag[]).map(({ type, value }) => `${type}:${value}`)
    return createLineText(own.says.tags, toTexts(before), toTexts(after))
  },
  links: (before, after, { own }) => {
    const listTexts = (list: unknown) =>
      (list as FeatureLink[]).map(({ url, title }) => (title === null ? url : `${title}: ${url}`))
    return createLineText(own.says.links, listTexts(before), listTexts(after))
  },
  segment: (before, after, telling) =>
    describeSegmentChange(before as SegmentSnapshot | null, after as SegmentSnapshot | null, telling),
}

/** Describes in words a difference between the states of a flag at two points in time. */
export function describeDifference(
  { part, before, after }: FlagDifference,
  telling: DifferenceContext,
): DifferenceText {
  return FORMATTERS[part](before, after, telling)
}

type Strategy = Omit<AdminStrategy, 'sortOrder'>

/** Removes lines that occur in both lists, because such lines have not changed. */
function createLineText(what: string, before: readonly string[], after: readonly string[]): DifferenceText {
  return {
    what,
    before: before.filter((line) => !after.includes(line)),
    after: after.filter((line) => !before.includes(line)),
  }
}

const toLines = (text: unknown): string[] => (typeof text === 'string' && text !== '' ? [text] : [])

function describeStrategyChange(
  before: Strategy | null,
  after: Strategy | null,
  telling: DifferenceContext,
): DifferenceText {
  const { says } = telling.own
  const formatAll = (one: Strategy | null) => (one === null ? [] : [describeTitledStrategy(one, telling)])
  if (before === null || after === null) {
    return createLineText(
      before === null ? says.strategyAdded : says.strategyRemoved,
      formatAll(before),
      formatAll(after),
    )
  }
  const isSwitched = before.disabled !== after.disabled
  const what = isSwitched ? (after.disabled ? says.strategyDisabled : says.strategyEnabled) : says.strategyChanged
  const text = createLineText(what, formatAll(before), formatAll(after))
  // The states identify the strategy among several strategies.
  return isSwitched && text.after.length === 0 ? { ...text, after: formatAll(after) } : text
}

/** Describes a strategy in one sentence, with its title and all values. */
export function describeTitledStrategy(
  strategy: Strategy,
  { words, segmentName }: Pick<DifferenceContext, 'words' | 'segmentName'>,
): string {
  const sentence = describeStrategy(words, strategy, segmentName, Number.POSITIVE_INFINITY)
  return strategy.title ? `${strategy.title}: ${sentence}` : sentence
}

function describeEnvironment(place: EnvironmentSnapshot | null, telling: DifferenceContext): string[] {
  if (place === null) return []
  const { own } = telling
  return [place.enabled ? own.on : own.off, ...place.strategies.map((one) => describeTitledStrategy(one, telling))]
}

function describeVariants(variants: unknown, { sentence }: SentenceTexts): string[] {
  return (variants as EnvironmentSnapshot['variants']).map(({ name, weight, payload }) => {
    const value = payload === undefined ? '' : `: ${payload.value}`
    return `${name} (${sentence.share(weight / 10)})${value}`
  })
}

function describeSegmentChange(
  before: SegmentSnapshot | null,
  after: SegmentSnapshot | null,
  telling: DifferenceContext,
): DifferenceText {
  const { says } = telling.own
  const name = (after ?? before)?.name ?? ''
  const said = (one: SegmentSnapshot | null) => [
    ...(one === null || one.name === name ? [] : [one.name]),
    ...(one?.constraints ?? []).map((constraint) =>
      describeConstraint(telling.words, constraint, Number.POSITIVE_INFINITY),
    ),
  ]
  const what = before === null ? says.segmentUsed : after === null ? says.segmentUnused : says.segment
  return createLineText(what(name), said(before), said(after))
}
