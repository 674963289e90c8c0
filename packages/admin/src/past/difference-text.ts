import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type {
  EnvironmentThen,
  FlagDifference,
  ParentThen,
  SegmentThen,
} from '@burgee/protocol/administration/flag-history'
import type { Tag } from '@burgee/protocol/event'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { parentText } from '../flag/parent-text.ts'
import type { FLAG_TEXTS } from '../flag/texts.ts'
import { constraintText, type SentenceTexts, sentenceOf } from '../strategy/strategy-sentence.ts'
import type { PastTexts } from './texts.ts'

/** Difference in words: what happened, with the states before and after. Both are empty if `what` is sufficient. */
export interface DifferenceText {
  readonly what: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Texts and lookups that build the sentences. */
export interface Telling {
  readonly own: PastTexts
  readonly words: SentenceTexts
  readonly parents: (typeof FLAG_TEXTS)['en']['dependencies']
  /** Names of flag types and of segments. */
  readonly types: Readonly<Record<string, string>>
  readonly segmentName: (id: number) => string
}

type Say = (before: unknown, after: unknown, telling: Telling) => DifferenceText

const bare = (what: string): DifferenceText => ({ what, before: [], after: [] })

/** Functions that describe a difference in each part of a flag. */
const SAY: Readonly<Record<FlagDifference['part'], Say>> = {
  existence: (_before, after, { own }) => bare(after === true ? own.says.created : own.says.gone),
  project: (before, after, { own }) => lines(own.says.project, [String(before)], [String(after)]),
  description: (before, after, { own }) => lines(own.says.description, textOf(before), textOf(after)),
  type: (before, after, { own, types }) =>
    lines(own.says.type, [types[String(before)] ?? String(before)], [types[String(after)] ?? String(after)]),
  impressionData: (_before, after, { own }) => bare(after === true ? own.says.impressionsOn : own.says.impressionsOff),
  stale: (_before, after, { own }) => bare(after === true ? own.says.staleOn : own.says.staleOff),
  archived: (_before, after, { own }) => bare(after === true ? own.says.archivedOn : own.says.archivedOff),
  environment: (before, after, telling) =>
    lines(
      after === null ? telling.own.says.environmentOff : telling.own.says.environmentOn,
      placeLines(before as EnvironmentThen | null, telling),
      placeLines(after as EnvironmentThen | null, telling),
    ),
  enabled: (_before, after, { own }) => bare(after === true ? own.says.turnedOn : own.says.turnedOff),
  strategy: (before, after, telling) => strategyText(before as Strategy | null, after as Strategy | null, telling),
  strategyOrder: (_before, _after, { own }) => bare(own.says.order),
  variants: (before, after, { own, words }) =>
    lines(own.says.variants, variantLines(before, words), variantLines(after, words)),
  dependencies: (before, after, { own, parents }) => {
    const said = (list: unknown) => (list as ParentThen[]).map((one) => `${one.feature}: ${parentText(parents, one)}`)
    return lines(own.says.parent, said(before), said(after))
  },
  tags: (before, after, { own }) => {
    const said = (list: unknown) => (list as Tag[]).map(({ type, value }) => `${type}:${value}`)
    return lines(own.says.tags, said(before), said(after))
  },
  links: (before, after, { own }) => {
    const said = (list: unknown) =>
      (list as FeatureLink[]).map(({ url, title }) => (title === null ? url : `${title}: ${url}`))
    return lines(own.says.links, said(before), said(after))
  },
  segment: (before, after, telling) => segmentText(before as SegmentThen | null, after as SegmentThen | null, telling),
}

/** Describes a difference between two moments of a flag in words. */
export function differenceText({ part, before, after }: FlagDifference, telling: Telling): DifferenceText {
  return SAY[part](before, after, telling)
}

type Strategy = Omit<AdminStrategy, 'sortOrder'>

/** Omits lines that are in both lists, because they have not changed. */
function lines(what: string, before: readonly string[], after: readonly string[]): DifferenceText {
  return {
    what,
    before: before.filter((line) => !after.includes(line)),
    after: after.filter((line) => !before.includes(line)),
  }
}

const textOf = (text: unknown): string[] => (typeof text === 'string' && text !== '' ? [text] : [])

function strategyText(before: Strategy | null, after: Strategy | null, telling: Telling): DifferenceText {
  const { says } = telling.own
  const said = (one: Strategy | null) => (one === null ? [] : [strategyLine(one, telling)])
  if (before === null || after === null) {
    return lines(before === null ? says.strategyAdded : says.strategyRemoved, said(before), said(after))
  }
  const isSwitched = before.disabled !== after.disabled
  const what = isSwitched ? (after.disabled ? says.strategyDisabled : says.strategyEnabled) : says.strategyChanged
  const text = lines(what, said(before), said(after))
  // Identifies the strategy among several.
  return isSwitched && text.after.length === 0 ? { ...text, after: said(after) } : text
}

/** Describes a strategy in one sentence, with its title and all values. */
export function strategyLine(
  strategy: Strategy,
  { words, segmentName }: Pick<Telling, 'words' | 'segmentName'>,
): string {
  const sentence = sentenceOf(words, strategy, segmentName, Number.POSITIVE_INFINITY)
  return strategy.title ? `${strategy.title}: ${sentence}` : sentence
}

function placeLines(place: EnvironmentThen | null, telling: Telling): string[] {
  if (place === null) return []
  const { own } = telling
  return [place.enabled ? own.on : own.off, ...place.strategies.map((one) => strategyLine(one, telling))]
}

function variantLines(variants: unknown, { sentence }: SentenceTexts): string[] {
  return (variants as EnvironmentThen['variants']).map(({ name, weight, payload }) => {
    const value = payload === undefined ? '' : `: ${payload.value}`
    return `${name} (${sentence.share(weight / 10)})${value}`
  })
}

function segmentText(before: SegmentThen | null, after: SegmentThen | null, telling: Telling): DifferenceText {
  const { says } = telling.own
  const name = (after ?? before)?.name ?? ''
  const said = (one: SegmentThen | null) => [
    ...(one === null || one.name === name ? [] : [one.name]),
    ...(one?.constraints ?? []).map((constraint) =>
      constraintText(telling.words, constraint, Number.POSITIVE_INFINITY),
    ),
  ]
  const what = before === null ? says.segmentUsed : after === null ? says.segmentUnused : says.segment
  return lines(what(name), said(before), said(after))
}
