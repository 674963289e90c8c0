import { getFirstPaths, INBOX_PATH } from './api/first/first-paths.ts'
import { ME_PATH } from './api/first/me-path.ts'
import { BASE_PATH, prefetch } from './api/http.ts'
import { parseInitialQuery } from './flags/first-list.ts'

/**
 * Prefetches the first requests of the flag list or the home page while the other scripts load. The script is small and
 * is the first one on the page. All other scripts import it first, so that it runs first even if it arrives late. Skips
 * URLs with filters, which only the router can parse.
 */
const { pathname, search } = location
const path = pathname.slice(BASE_PATH.length)
const query = search === '' ? parseInitialQuery({ pathname: path, search: {} }) : undefined
if (query !== undefined) for (const first of Object.values(getFirstPaths(query))) prefetch(first)
if (path === '/') for (const first of [ME_PATH, INBOX_PATH]) prefetch(first)
