import { compareText } from '@burgee/kit/compare-text'
import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type { FlagSnapshot, ParentSnapshot } from '@burgee/protocol/administration/flag-history'
import type { EventType, Tag } from '@burgee/protocol/event'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { PastEvent } from '@burgee/storage/queries/events/past-events'
import {
  changeEnvironment,
  createPristine,
  extractFlagProperties,
  type FlagProperties,
  isPristine,
  isSame,
} from './flag-snapshot.ts'
import { GAP, type HistoryBreak, MISMATCH } from './history-break.ts'

/** Returns the state of a flag before one of the flag's events; null if the flag did not exist. */
type Undo = (flag: FlagSnapshot, event: PastEvent) => FlagSnapshot | null | HistoryBreak

/**
 * Returns a function that undoes changes to the given parts of the flag only. Partial undo is needed because two events
 * may report the same change, each with the flag's complete state before and after it.
 */
function undoParts(...parts: readonly (keyof FlagProperties)[]): Undo {
  return (flag, { data, pre_data }) => {
    const after = extractFlagProperties(data)
    if (!parts.every((part) => flag[part] === after[part])) return MISMATCH
    if (pre_data === null) return GAP
    const before = extractFlagProperties(pre_data)
    return { ...flag, ...Object.fromEntries(parts.map((part) => [part, before[part]])) }
  }
}

const undoStale = undoParts('stale')
const undoArchived = undoParts('archivedAt')

const undoSwitch: Undo = (flag, event) => {
  const enabled = event.type === 'feature-environment-enabled'
  return changeEnvironment(flag, event, (place) => {
    if (place.enabled !== enabled) return MISMATCH
    return { ...place, enabled: !enabled }
  })
}

/** Functions that undo an event, keyed by event type; events of other types do not affect the reconstructed state. */
const UNDO: Partial<Record<EventType, Undo>> = {
  'feature-created': (flag, { data }) => {
    const isNew = flag.environments.every(isPristine) && flag.tags.length + flag.links.length === 0
    const isAsCreated = isSame(extractFlagProperties(flag), extractFlagProperties(data))
    return isNew && flag.dependencies.length === 0 && isAsCreated ? null : MISMATCH
  },
  'feature-metadata-updated': undoParts('description', 'type', 'impressionData'),
  'feature-stale-on': undoStale,
  'feature-stale-off': undoStale,
  'feature-archived': undoArchived,
  'feature-revived': undoArchived,
  'feature-project-change': (flag, { data, undo }) => {
    const { oldProject, newProject } = data as { readonly oldProject: string; readonly newProject: string }
    if (flag.project !== newProject) return MISMATCH
    if (undo === null) return GAP
    const { environments: before } = undo as { readonly environments: readonly string[] }
    if (!flag.environments.every((one) => before.includes(one.name) || isPristine(one))) return MISMATCH
    const known = new Map(flag.environments.map((one) => [one.name, one]))
    return { ...flag, project: oldProject, environments: before.map((name) => known.get(name) ?? createPristine(name)) }
  },
  'feature-tagged': (flag, { data }) => {
    const left = flag.tags.filter((tag) => !isTag(tag, data))
    if (left.length !== flag.tags.length - 1) return MISMATCH
    return { ...flag, tags: left }
  },
  'feature-untagged': (flag, { pre_data }) => withTags(flag, [pre_data as Tag]),
  'feature-environment-enabled': undoSwitch,
  'feature-environment-disabled': undoSwitch,
  'feature-strategy-add': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const added = event.data as AdminStrategy
      if (!place.strategies.some((one) => isSame(one, added))) return MISMATCH
      return { ...place, strategies: place.strategies.filter(({ id }) => id !== added.id) }
    }),
  'feature-strategy-update': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const after = event.data as AdminStrategy
      const before = event.pre_data as AdminStrategy | null
      const at = place.strategies.findIndex((one) => isSame(one, after))
      if (at < 0) return MISMATCH
      if (before?.id !== after.id) return GAP
      const others = place.strategies.filter(({ id }) => id !== after.id)
      const index = before.sortOrder === after.sortOrder ? at : findFormerIndex(others, before, event)
      return index === undefined ? GAP : { ...place, strategies: others.toSpliced(index, 0, before) }
    }),
  'feature-strategy-remove': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const before = event.pre_data as AdminStrategy | null
      if (before?.id === undefined) return GAP
      if (place.strategies.some(({ id }) => id === before.id)) return MISMATCH
      const index = findFormerIndex(place.strategies, before, event)
      return index === undefined ? GAP : { ...place, strategies: place.strategies.toSpliced(index, 0, before) }
    }),
  'strategy-order-changed': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const after = event.data as StrategyOrder | null
      const before = event.pre_data as StrategyOrder | null
      if (!Array.isArray(after?.strategies) || before?.strategies.length !== after.strategies.length) return GAP
      if (!isSame(toOrder(place.strategies), after.strategies)) return MISMATCH
      const byId = new Map(place.strategies.map((one) => [one.id, one]))
      const strategies = before.strategies.flatMap(({ id, sortOrder }) => {
        const found = byId.get(id)
        return found === undefined ? [] : [{ ...found, sortOrder }]
      })
      return strategies.length < before.strategies.length ? MISMATCH : { ...place, strategies }
    }),
  'feature-environment-variants-updated': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const after = event.data as WithVariants
      const before = event.pre_data as WithVariants | null
      if (!isSame(place.variants, after.variants)) return MISMATCH
      return Array.isArray(before?.variants) ? { ...place, variants: before.variants } : GAP
    }),
  'feature-dependency-added': (flag, { data, pre_data, undo }) => {
    if (!isSame(flag.dependencies, [data])) return MISMATCH
    const { parents = pre_data === null ? [] : [pre_data as ParentSnapshot] } = (undo ?? {}) as {
      parents?: ParentSnapshot[]
    }
    return { ...flag, dependencies: parents }
  },
  'feature-dependency-removed': (flag, { pre_data }) => withParents(flag, [pre_data as ParentSnapshot]),
  'feature-dependencies-removed': (flag, { pre_data }) => {
    if (flag.dependencies.length > 0) return MISMATCH
    return withParents(flag, (pre_data as { readonly dependencies: ParentSnapshot[] }).dependencies)
  },
  'feature-link-added': (flag, { data }) => {
    if (!flag.links.some((link) => isSame(link, data))) return MISMATCH
    return { ...flag, links: flag.links.filter(({ id }) => id !== (data as FeatureLink).id) }
  },
  'feature-link-updated': (flag, { data, pre_data }) => {
    if (!flag.links.some((link) => isSame(link, data))) return MISMATCH
    return { ...flag, links: flag.links.map((link) => (isSame(link, data) ? (pre_data as FeatureLink) : link)) }
  },
  'feature-link-removed': (flag, { pre_data, undo }) => {
    if (undo === null && flag.links.length > 0) return GAP
    const { index } = (undo ?? { index: 0 }) as { readonly index: number }
    return { ...flag, links: flag.links.toSpliced(index, 0, pre_data as FeatureLink) }
  },
}

/** Returns the state of a flag before one of the flag's events; null if the flag did not exist. */
export function rewindFlagEvent(flag: FlagSnapshot | null, event: PastEvent): FlagSnapshot | null | HistoryBreak {
  if (event.type === 'feature-deleted') {
    const { flag: deleted } = (event.undo ?? {}) as { readonly flag?: FlagSnapshot }
    return flag === null ? (deleted ?? GAP) : MISMATCH
  }
  const undo = UNDO[event.type as EventType]
  if (undo === undefined) return flag
  return flag === null ? MISMATCH : undo(flag, event)
}

type StrategyOrder = { readonly strategies: readonly { readonly id: string; readonly sortOrder: number }[] }
type WithVariants = { readonly variants: FlagSnapshot['environments'][number]['variants'] }

function toOrder(strategies: readonly AdminStrategy[]) {
  return strategies.map(({ id, sortOrder }) => ({ id, sortOrder }))
}

function isTag(tag: Tag, other: unknown): boolean {
  const { type, value } = other as Tag
  return tag.type === type && tag.value === value
}

/** Puts deleted tags back on a flag. Returns a mismatch if the flag still has one of the tags. */
export function withTags(flag: FlagSnapshot, lost: readonly Tag[]): FlagSnapshot | HistoryBreak {
  if (lost.some((one) => flag.tags.some((tag) => isTag(tag, one)))) return MISMATCH
  const tags = [...flag.tags, ...lost.map(({ type, value }) => ({ value, type }))]
  return { ...flag, tags: tags.sort((a, b) => compareText(a.type, b.type) || compareText(a.value, b.value)) }
}

function withParents(flag: FlagSnapshot, lost: readonly ParentSnapshot[]): FlagSnapshot | HistoryBreak {
  if (lost.some((one) => flag.dependencies.some(({ feature }) => feature === one.feature))) return MISMATCH
  const dependencies = [...flag.dependencies, ...lost].sort((a, b) => compareText(a.feature, b.feature))
  return { ...flag, dependencies }
}

/**
 * Returns the former index of a strategy: the index recorded by the event, or the index that its sort order implies if
 * the order is unique; undefined otherwise.
 */
function findFormerIndex(
  others: readonly AdminStrategy[],
  { sortOrder }: AdminStrategy,
  { undo }: PastEvent,
): number | undefined {
  const recorded = (undo as { readonly index?: number } | null)?.index
  if (recorded !== undefined) return recorded
  if (others.some((one) => one.sortOrder === sortOrder)) return undefined
  return others.filter((one) => one.sortOrder < sortOrder).length
}
