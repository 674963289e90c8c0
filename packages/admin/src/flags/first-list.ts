import type { FlagQuery } from '../api/first/flag-search.ts'
import { lastProject } from '../shell/project/last-project.ts'
import { hiddenBy, storedColumns } from './hidden-columns.ts'
import { queryOfSearch, readFlagSearch } from './search-params.ts'

/** Where the page was opened: its path below the base, and what its address says behind. */
export interface FirstPlace {
  readonly pathname: string
  readonly search: Readonly<Record<string, unknown>>
}

const LIST = /^\/projects\/([^/]+)\/?$/

/** What the first list of flags shows; undefined where another page was opened. */
export function firstList({ pathname, search }: FirstPlace): FlagQuery | undefined {
  const isStart = pathname === '/'
  const project = isStart ? lastProject() : decoded(LIST.exec(pathname)?.[1])
  if (project === undefined) return undefined
  return queryOfSearch(project, isStart ? {} : readFlagSearch(search), hiddenBy(storedColumns()))
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
