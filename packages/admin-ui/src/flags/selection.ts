import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { useMemo, useRef, useState } from 'react'
import type { FlagQuery } from '../api/first/flag-search.ts'
import { searchFlags } from '../api/flags.ts'
import type { FlagRows } from './use-flag-rows.ts'

/** Number of rows per request when all flags of a search are selected; keeps requests well below the size limit. */
const ROWS_PER_REQUEST = 200
const MAX_PARALLEL_REQUESTS = 3

/** Flags selected for bulk actions, in their state at the time of the selection. */
export interface Selection {
  readonly flags: readonly FeatureListItem[]
  readonly has: (name: string) => boolean
  readonly put: (flags: readonly FeatureListItem[], isIn: boolean) => void
  readonly clear: () => void
  /** Name of the flag whose row was selected last, where a range selection starts. */
  readonly anchor: { current: string | undefined }
}

const EMPTY_SELECTION: ReadonlyMap<string, FeatureListItem> = new Map()

/** Returns the current selection in a list. When `list` changes, the selection is empty again. */
export function useSelection(list: string): Selection {
  const [chosen, setChosen] = useState({ list, flags: EMPTY_SELECTION })
  const anchor = useRef<string>(undefined)
  const flags = chosen.list === list ? chosen.flags : EMPTY_SELECTION
  return useMemo(
    () => ({
      flags: [...flags.values()],
      has: (name) => flags.has(name),
      put: (some, isIn) =>
        setChosen((now) => {
          const next = new Map(now.list === list ? now.flags : EMPTY_SELECTION)
          for (const flag of some) {
            if (isIn) next.set(flag.name, flag)
            else next.delete(flag.name)
          }
          return { list, flags: next }
        }),
      clear: () => setChosen({ list, flags: EMPTY_SELECTION }),
      anchor,
    }),
    [flags, list],
  )
}

/**
 * Returns a function that selects rows. If the shift key is pressed, it selects the range that starts at the previously
 * selected row.
 */
export function useSelectRows(selection: Selection | undefined, { row, indexOf }: FlagRows) {
  return (index: number, isRange: boolean): void => {
    const flag = row(index)
    if (flag === undefined || selection === undefined) return
    const { anchor } = selection
    // Rows above may have been added or removed since the previous selection.
    const from = (isRange && anchor.current !== undefined ? indexOf(anchor.current) : undefined) ?? index
    const [first, last] = from < index ? [from, index] : [index, from]
    const rows = Array.from({ length: last - first + 1 }, (_, offset) => row(first + offset))
    selection.put(
      rows.filter((one) => one !== undefined),
      !selection.has(flag.name),
    )
    anchor.current = flag.name
  }
}

/** Fetches all flags of a search, a few requests at a time. */
export async function fetchAllFlags(query: FlagQuery, total: number): Promise<FeatureListItem[]> {
  const offsets = Array.from({ length: Math.ceil(total / ROWS_PER_REQUEST) }, (_, index) => index * ROWS_PER_REQUEST)
  const pages = new Map<number, readonly FeatureListItem[]>()
  const work = async (): Promise<void> => {
    for (let offset = offsets.shift(); offset !== undefined; offset = offsets.shift()) {
      pages.set(offset, (await searchFlags(query, offset, ROWS_PER_REQUEST)).features)
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_REQUESTS }, work))
  return [...pages].sort(([a], [b]) => a - b).flatMap(([, features]) => features)
}
