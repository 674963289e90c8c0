import type { FlagQuery } from '../api/first/flag-search.ts'
import { parseHiddenColumns, readStoredColumns } from './hidden-columns.ts'
import { buildFlagQuery, parseFlagSearch } from './search-params.ts'

/** Initial URL of the page: path below the base and search parameters. */
export interface InitialUrl {
  readonly pathname: string
  readonly search: Readonly<Record<string, unknown>>
}

const LIST_PATH = /^\/projects\/([^/]+)\/?$/

/** Returns the query of the flag list with which the app starts; undefined if the app starts with another page. */
export function parseInitialQuery({ pathname, search }: InitialUrl): FlagQuery | undefined {
  const project = decodePath(LIST_PATH.exec(pathname)?.[1])
  if (project === undefined) return undefined
  return buildFlagQuery(project, parseFlagSearch(search), parseHiddenColumns(readStoredColumns()))
}

function decodePath(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
