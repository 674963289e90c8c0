import { getFirstPaths } from './api/first/first-paths.ts'
import { BASE_PATH, prefetch } from './api/http.ts'
import { parseInitialQuery } from './flags/first-list.ts'

/**
 * Prefetches the first requests of the flag list while the other scripts load. This script is small and the first one
 * of the page. The other scripts import it first, so that it runs before them even if it arrives late. Skips URLs with
 * filters, because only the router can parse them.
 */
const { pathname, search } = location
const query = search === '' ? parseInitialQuery({ pathname: pathname.slice(BASE_PATH.length), search: {} }) : undefined
if (query !== undefined) for (const path of Object.values(getFirstPaths(query))) prefetch(path)
