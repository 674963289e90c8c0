import { compareText } from '@burgee/kit/compare-text'
import type { FeatureLink } from '@burgee/protocol/administration/feature-link'
import type { FlagSnapshot, ParentSnapshot } from '@burgee/protocol/administration/flag-history'
import type { EventType, Tag } from '@burgee/protocol/event'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { PastEvent } from '@burgee/storage/queries/events/past-events'
import {
  changeEnvironment,
  createPristine,
  type FlagProperties,
  HistoryMismatch,
  isPristine,
  isSame,
  pickFlagProperties,
  requireMatch,
  requireRecorded,
} from './flag-snapshot.ts'

/** Returns the state of a flag before one of its own events; null if it did not exist. Throws Untold. */
type Undo = (flag: FlagSnapshot, event: PastEvent) => FlagSnapshot | null

/**
 * Returns a function that undoes only the given parts of the flag. Two events may report the same change, each with the
 * full state before and after it.
 */
function undoParts(...parts: readonly (keyof FlagProperties)[]): Undo {
  return (flag, { data, pre_data }) => {
    const [after, before] = [pickFlagProperties(data), pre_data === null ? undefined : pickFlagProperties(pre_data)]
    requireMatch(parts.every((part) => flag[part] === after[part]))
    requireRecorded(before !== undefined)
    return { ...flag, ...Object.fromEntries(parts.map((part) => [part, before?.[part]])) }
  }
}

const undoStale = undoParts('stale')
const undoArchived = undoParts('archivedAt')

const undoSwitch: Undo = (flag, event) => {
  const enabled = event.type === 'feature-environment-enabled'
  return changeEnvironment(flag, event, (place) => {
    requireMatch(place.enabled === enabled)
    return { ...place, enabled: !enabled }
  })
}

/** Undo function per event type; events of other types do not affect the reconstructed state. */
const UNDO: Partial<Record<EventType, Undo>> = {
  'feature-created': (flag, { data }) => {
    const isNew = flag.environments.every(isPristine) && flag.tags.length + flag.links.length === 0
    requireMatch(isNew && flag.dependencies.length === 0 && isSame(pickFlagProperties(flag), pickFlagProperties(data)))
    return null
  },
  'feature-metadata-updated': undoParts('description', 'type', 'impressionData'),
  'feature-stale-on': undoStale,
  'feature-stale-off': undoStale,
  'feature-archived': undoArchived,
  'feature-revived': undoArchived,
  'feature-project-change': (flag, { data, undo }) => {
    const { oldProject, newProject } = data as { readonly oldProject: string; readonly newProject: string }
    requireMatch(flag.project === newProject)
    requireRecorded(undo !== null)
    const { environments: had } = undo as { readonly environments: readonly string[] }
    requireMatch(flag.environments.every((one) => had.includes(one.name) || isPristine(one)))
    const known = new Map(flag.environments.map((one) => [one.name, one]))
    return { ...flag, project: oldProject, environments: had.map((name) => known.get(name) ?? createPristine(name)) }
  },
  'feature-tagged': (flag, { data }) => {
    const left = flag.tags.filter((tag) => !isTag(tag, data))
    requireMatch(left.length === flag.tags.length - 1)
    return { ...flag, tags: left }
  },
  'feature-untagged': (flag, { pre_data }) => withTags(flag, [pre_data as Tag]),
  'feature-environment-enabled': undoSwitch,
  'feature-environment-disabled': undoSwitch,
  'feature-strategy-add': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const added = event.data as AdminStrategy
      requireMatch(place.strategies.some((one) => isSame(one, added)))
      return { ...place, strategies: place.strategies.filter(({ id }) => id !== added.id) }
    }),
  'feature-strategy-update': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const [after, before] = [event.data as AdminStrategy, event.pre_data as AdminStrategy]
      const at = place.strategies.findIndex((one) => isSame(one, after))
      requireMatch(at >= 0)
      requireRecorded(before?.id === after.id)
      const others = place.strategies.filter(({ id }) => id !== after.id)
      const index = before.sortOrder === after.sortOrder ? at : getFormerIndex(others, before, event)
      return { ...place, strategies: others.toSpliced(index, 0, before) }
    }),
  'feature-strategy-remove': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const before = event.pre_data as AdminStrategy
      requireRecorded(before?.id !== undefined)
      requireMatch(place.strategies.every(({ id }) => id !== before.id))
      return {
        ...place,
        strategies: place.strategies.toSpliced(getFormerIndex(place.strategies, before, event), 0, before),
      }
    }),
  'strategy-order-changed': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const [after, before] = [event.data as StrategyOrder, event.pre_data as StrategyOrder]
      requireRecorded(Array.isArray(after?.strategies) && before?.strategies.length === after.strategies.length)
      requireMatch(isSame(toOrder(place.strategies), after.strategies))
      const strategies = before.strategies.map(({ id, sortOrder }) => {
        const found = place.strategies.find((one) => one.id === id)
        if (found === undefined) throw new HistoryMismatch()
        return { ...found, sortOrder }
      })
      return { ...place, strategies }
    }),
  'feature-environment-variants-updated': (flag, event) =>
    changeEnvironment(flag, event, (place) => {
      const [after, before] = [event.data as WithVariants, event.pre_data as WithVariants]
      requireMatch(isSame(place.variants, after.variants))
      requireRecorded(Array.isArray(before?.variants))
      return { ...place, variants: before.variants }
    }),
  'feature-dependency-added': (flag, { data, pre_data, undo }) => {
    requireMatch(isSame(flag.dependencies, [data]))
    const { parents = pre_data === null ? [] : [pre_data as ParentSnapshot] } = (undo ?? {}) as {
      parents?: ParentSnapshot[]
    }
    return { ...flag, dependencies: parents }
  },
  'feature-dependency-removed': (flag, { pre_data }) => withParents(flag, [pre_data as ParentSnapshot]),
  'feature-dependencies-removed': (flag, { pre_data }) => {
    requireMatch(flag.dependencies.length === 0)
    return withParents(flag, (pre_data as { readonly dependencies: ParentSnapshot[] }).dependencies)
  },
  'feature-link-added': (flag, { data }) => {
    requireMatch(flag.links.some((link) => isSame(link, data)))
    return { ...flag, links: flag.links.filter(({ id }) => id !== (data as FeatureLink).id) }
  },
  'feature-link-updated': (flag, { data, pre_data }) => {
    requireMatch(flag.links.some((link) => isSame(link, data)))
    return { ...flag, links: flag.links.map((link) => (isSame(link, data) ? (pre_data as FeatureLink) : link)) }
  },
  'feature-link-removed': (flag, { pre_data, undo }) => {
    requireRecorded(undo !== null || flag.links.length === 0)
    const { index } = (undo ?? { index: 0 }) as { readonly index: number }
    return { ...flag, links: flag.links.toSpliced(index, 0, pre_data as FeatureLink) }
  },
}

/** Returns the state of a flag before one of its own events; null if it did not exist. Throws Untold. */
export function undoOwnEvent(flag: FlagSnapshot | null, event: PastEvent): FlagSnapshot | null {
  if (event.type === 'feature-deleted') {
    const { flag: gone } = (event.undo ?? {}) as { readonly flag?: FlagSnapshot }
    requireMatch(flag === null)
    requireRecorded(gone !== undefined)
    return gone ?? null
  }
  const undo = UNDO[event.type as EventType]
  if (undo === undefined) return flag
  if (flag === null) throw new HistoryMismatch()
  return undo(flag, event)
}

type StrategyOrder = { readonly strategies: readonly { readonly id: string; readonly sortOrder: number }[] }
type WithVariants = { readonly variants: FlagSnapshot['environments'][number]['variants'] }

function toOrder(strategies: readonly AdminStrategy[]) {
  return strategies.map(({ id, sortOrder }) => ({ id, sortOrder }))
}

function isTag(tag: Tag, told: unknown): boolean {
  const { type, value } = told as Tag
  return tag.type === type && tag.value === value
}

/** Adds deleted tags to a flag. Throws HistoryMismatch if the flag still has one of them. */
export function withTags(flag: FlagSnapshot, lost: readonly Tag[]): FlagSnapshot {
  requireMatch(lost.every((one) => !flag.tags.some((tag) => isTag(tag, one))))
  const tags = [...flag.tags, ...lost.map(({ type, value }) => ({ value, type }))]
  return { ...flag, tags: tags.sort((a, b) => compareText(a.type, b.type) || compareText(a.value, b.value)) }
}

function withParents(flag: FlagSnapshot, lost: readonly ParentSnapshot[]): FlagSnapshot {
  requireMatch(lost.every((one) => !flag.dependencies.some(({ feature }) => feature === one.feature)))
  const dependencies = [...flag.dependencies, ...lost].sort((a, b) => compareText(a.feature, b.feature))
  return { ...flag, dependencies }
}

/**
 * Returns the former index of a strategy: the index recorded by the event, or the index that its sort order implies if
 * the order is unique. Throws Untold.
 */
function getFormerIndex(others: readonly AdminStrategy[], { sortOrder }: AdminStrategy, { undo }: PastEvent): number {
  const told = (undo as { readonly index?: number } | null)?.index
  if (told !== undefined) return told
  requireRecorded(others.every((one) => one.sortOrder !== sortOrder))
  return others.filter((one) => one.sortOrder < sortOrder).length
}
