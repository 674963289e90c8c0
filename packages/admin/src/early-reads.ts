import { ENVIRONMENTS_PATH, flagSearchPath, ME_PATH, PAGE_ROWS } from './api/first/flag-search.ts'
import { BASE_PATH, readEarly } from './api/http.ts'
import { firstList } from './flags/first-list.ts'

/**
 * A script of its own, of a few kilobytes, that comes before all others: what the list of flags will ask the server for is
 * on its way while they still load. An address with filters is read by the router alone.
 */
const { pathname, search } = location
const query = search === '' ? firstList({ pathname: pathname.slice(BASE_PATH.length), search: {} }) : undefined
if (query !== undefined)
  for (const path of [ME_PATH, flagSearchPath(query, 0, PAGE_ROWS), ENVIRONMENTS_PATH]) readEarly(path)
