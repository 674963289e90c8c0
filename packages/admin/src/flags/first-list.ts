import type { FlagQuery } from '../api/first/flag-search.ts'
import { lastProject } from '../shell/project/last-project.ts'
import { hiddenBy, storedColumns } from './hidden-columns.ts'
import { queryOfSearch, readFlagSearch } from './search-params.ts'

/** Initial URL of the page: path below the base and search parameters. */
export interface FirstPlace {
  readonly pathname: string
  readonly search: Readonly<Record<string, unknown>>
}

const LIST = /^\/projects\/([^/]+)\/?$/

/** Returns the query of the first flag list; undefined if another page was opened. */
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
