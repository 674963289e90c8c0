import { firstPaths } from './api/first/first-paths.ts'
import { BASE_PATH, readEarly } from './api/http.ts'
import { firstList } from './flags/first-list.ts'

/**
 * Prefetches the first requests of the flag list while the other scripts load. This script is small and comes before
 * all other scripts. They import it first, so it has run before them even if it arrives late. Skips URLs with filters,
 * which only the router parses.
 */
const { pathname, search } = location
const query = search === '' ? firstList({ pathname: pathname.slice(BASE_PATH.length), search: {} }) : undefined
if (query !== undefined) for (const path of Object.values(firstPaths(query))) readEarly(path)
