import { changedAfter, type DocumentState, type FlagEntry, findFlag, placeOf } from './environment-document.ts'
import { selectionOf, type ViewFilter } from './view-filter.ts'

/** What a filter lets through of a state. It does not change any more. */
export interface SeenFlags {
  /** Of the state. */
  readonly version: number
  /** By name. */
  readonly flags: readonly FlagEntry[]
  /** The marks of the flags, added up: equal flags, equal sum. */
  readonly sum: number
  /** Characters of the flags' prepared texts. */
  readonly size: number
  /** How many flags refer to a segment, by its id. */
  readonly segmentUses: ReadonlyMap<number, number>
}

/** What marks, of 48 bits, are added up within: twice as much and a mark more is exact in a number still. */
const SUM_LIMIT = 2 ** 51

/**
 * Looks at a state through a filter. `before` is what the same filter let through of an earlier state: where it is known
 * which flags have changed since, only those are looked at; else each flag is.
 */
export function seenFlags(state: DocumentState, filter: ViewFilter, before?: SeenFlags): SeenFlags {
  const changed = before === undefined ? undefined : changedAfter(state, before.version)
  return before === undefined || changed === undefined
    ? wholeOf(state, filter)
    : advanced(before, changed, state, filter)
}

function wholeOf(state: DocumentState, filter: ViewFilter): SeenFlags {
  const isLetThrough = selectionOf(filter)
  const flags: FlagEntry[] = []
  const segmentUses = new Map<number, number>()
  let [sum, size] = [0, 0]
  // all of it in one go, for each flag of a large document is far away in memory
  for (const entry of state.flags) {
    if (!isLetThrough(entry)) continue
    flags.push(entry)
    sum = (sum + entry.mark) % SUM_LIMIT
    size += entry.json.length
    count(segmentUses, entry, 1)
  }
  return { version: state.version, flags, sum, size, segmentUses }
}

function advanced(
  before: SeenFlags,
  changed: ReadonlySet<string>,
  state: DocumentState,
  filter: ViewFilter,
): SeenFlags {
  const { version } = state
  if (changed.size === 0) return { ...before, version }
  const isLetThrough = selectionOf(filter)
  const flags = [...before.flags]
  const segmentUses = new Map(before.segmentUses)
  let { sum, size } = before
  for (const name of changed) {
    const at = placeOf(flags, name)
    const was = flags[at]?.name === name ? flags[at] : undefined
    const found = findFlag(state, name)
    const is = found !== undefined && isLetThrough(found) ? found : undefined
    const own = is === undefined ? [] : [is]
    flags.splice(at, was === undefined ? 0 : 1, ...own)
    sum = (sum + (is?.mark ?? 0) - (was?.mark ?? 0) + SUM_LIMIT) % SUM_LIMIT
    size += (is?.json.length ?? 0) - (was?.json.length ?? 0)
    count(segmentUses, was, -1)
    count(segmentUses, is, 1)
  }
  return { version, flags, sum, size, segmentUses }
}

function count(uses: Map<number, number>, entry: FlagEntry | undefined, more: number): void {
  for (const id of entry?.segmentIds ?? []) {
    const now = (uses.get(id) ?? 0) + more
    if (now === 0) uses.delete(id)
    else uses.set(id, now)
  }
}
