import { compareText } from '@burgee/kit/compare-text'
import type { FlagKeyList } from '@burgee/protocol/administration/code-references'
import { SCANNER } from '../../core/http/code-reference-paths.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'

/** Filter for archived flags, in the form that the scanner sends. */
const ARCHIVED = 'state:archived'

/** Conditions that select flag names. */
interface FlagKeySearch {
  readonly project: string
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly env?: string | undefined
  readonly filter?: string | undefined
}

/** Returns a page of the flag names of a project, sorted by name. Without a limit, returns all names. */
export function listFlagKeys(flags: Iterable<CatalogFlag>, search: FlagKeySearch): FlagKeyList {
  const { project, limit, offset = 0, env, filter } = search
  const isArchived = filter === ARCHIVED
  const names: string[] = []
  for (const flag of flags) {
    if (flag.row.project === project && flag.isArchived === isArchived) names.push(flag.name)
  }
  names.sort(compareText)
  const end = limit === undefined ? names.length : offset + limit
  const items = names.slice(offset, end).map((key) => ({ key }))
  if (end >= names.length) return { items, totalCount: names.length, _links: {} }
  const query = new URLSearchParams({ limit: String(limit), offset: String(end) })
  if (env !== undefined) query.set('env', env)
  if (filter !== undefined) query.set('filter', filter)
  const href = `${SCANNER}/flags/${encodeURIComponent(project)}?${query}`
  return { items, totalCount: names.length, _links: { next: { href } } }
}
