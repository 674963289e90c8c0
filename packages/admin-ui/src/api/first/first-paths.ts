import { buildFlagSearchPath, type FlagQuery, PAGE_ROWS } from './flag-search.ts'
import { ME_PATH } from './me-path.ts'

/** Path of the tasks that await the logged-in user. */
export const INBOX_PATH = '/api/admin/user/inbox'
/** Path of all environments. */
export const ENVIRONMENTS_PATH = '/api/admin/environments'

/**
 * Returns the API paths that a flag list requests before it can show its first rows. Each path is prefetched by
 * `early-reads.ts`. For each path, `first-reads.ts` has a query of the same name.
 */
export const getFirstPaths = (query: FlagQuery) => ({
  me: ME_PATH,
  flags: buildFlagSearchPath(query, 0, PAGE_ROWS),
  environments: ENVIRONMENTS_PATH,
})

/** Name of a request that must finish before the first rows of the flag list can be shown. */
export type FirstRead = keyof ReturnType<typeof getFirstPaths>
