import { firstPaths } from './api/first/first-paths.ts'
import { BASE_PATH, readEarly } from './api/http.ts'
import { firstList } from './flags/first-list.ts'

/**
 * Prefetches the first reads of the flag list while the other scripts load. This script has a few kilobytes and comes
 * first. The other scripts import it first, so it runs before them even if it arrives late. Only the router parses
 * addresses with filters.
 */
const { pathname, search } = location
const query = search === '' ? firstList({ pathname: pathname.slice(BASE_PATH.length), search: {} }) : undefined
if (query !== undefined) for (const path of Object.values(firstPaths(query))) readEarly(path)
