import {
  type DocumentState,
  type FlagEntry,
  findFlag,
  findNamesChangedSince,
  findSortedIndex,
} from './environment-document.ts'
import { createFlagPredicate, type ViewFilter } from './view-filter.ts'

/** Flags of a document state that pass a filter. Immutable. */
export interface FilteredFlags {
  /** Version of the document state. */
  readonly version: number
  /** Sorted by name. */
  readonly flags: readonly FlagEntry[]
  /** Sum of the hashes of all flags that pass. The sum is the same for equal lists of flags. */
  readonly sum: number
  /** Total length of the serialized flags in characters. */
  readonly size: number
  /** Number of flags that use a segment, by segment id. */
  readonly segmentUses: ReadonlyMap<number, number>
}

/** Modulus for sums of 48-bit hashes. Chosen so that twice the modulus plus a hash is still an exact number. */
const SUM_LIMIT = 2 ** 51

/**
 * Applies a filter to a document state. `before` is the result of the same filter for an earlier state. Checks only the
 * flags that have changed since `before`, or all flags if it is no longer known which flags changed.
 */
export function filterFlags(state: DocumentState, filter: ViewFilter, before?: FilteredFlags): FilteredFlags {
  const changed = before === undefined ? undefined : findNamesChangedSince(state, before.version)
  return before === undefined || changed === undefined
    ? filterAllFlags(state, filter)
    : filterChangedFlags(before, changed, state, filter)
}

function filterAllFlags(state: DocumentState, filter: ViewFilter): FilteredFlags {
  const isLetThrough = createFlagPredicate(filter)
  const flags: FlagEntry[] = []
  const segmentUses = new Map<number, number>()
  let [sum, size] = [0, 0]
  // in one pass over the flags, because the flags of a large document are scattered in memory
  for (const entry of state.flags) {
    if (!isLetThrough(entry)) continue
    flags.push(entry)
    sum = (sum + entry.digest) % SUM_LIMIT
    size += entry.json.length
    countSegmentUses(segmentUses, entry, 1)
  }
  return { version: state.version, flags, sum, size, segmentUses }
}

function filterChangedFlags(
  before: FilteredFlags,
  changed: ReadonlySet<string>,
  state: DocumentState,
  filter: ViewFilter,
): FilteredFlags {
  const { version } = state
  if (changed.size === 0) return { ...before, version }
  const isLetThrough = createFlagPredicate(filter)
  const flags = [...before.flags]
  const segmentUses = new Map(before.segmentUses)
  let { sum, size } = before
  for (const name of changed) {
    const at = findSortedIndex(flags, name)
    const was = flags[at]?.name === name ? flags[at] : undefined
    const found = findFlag(state, name)
    const is = found !== undefined && isLetThrough(found) ? found : undefined
    const own = is === undefined ? [] : [is]
    flags.splice(at, was === undefined ? 0 : 1, ...own)
    sum = (sum + (is?.digest ?? 0) - (was?.digest ?? 0) + SUM_LIMIT) % SUM_LIMIT
    size += (is?.json.length ?? 0) - (was?.json.length ?? 0)
    countSegmentUses(segmentUses, was, -1)
    countSegmentUses(segmentUses, is, 1)
  }
  return { version, flags, sum, size, segmentUses }
}

function countSegmentUses(uses: Map<number, number>, entry: FlagEntry | undefined, more: number): void {
  for (const id of entry?.segmentIds ?? []) {
    const now = (uses.get(id) ?? 0) + more
    if (now === 0) uses.delete(id)
    else uses.set(id, now)
  }
}
