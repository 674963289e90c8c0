import { getFirstPaths } from './api/first/first-paths.ts'
import { BASE_PATH, prefetch } from './api/http.ts'
import { parseInitialQuery } from './flags/first-list.ts'

/**
 * Prefetches the first requests of the flag list while the other scripts load. This script is small and comes before
 * all other scripts. They import it first, so it has run before them even if it arrives late. Skips URLs with filters,
 * which only the router parses.
 */
const { pathname, search } = location
const query = search === '' ? parseInitialQuery({ pathname: pathname.slice(BASE_PATH.length), search: {} }) : undefined
if (query !== undefined) for (const path of Object.values(getFirstPaths(query))) prefetch(path)
