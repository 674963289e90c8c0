import { type FlagQuery, flagSearchPath, PAGE_ROWS } from './flag-search.ts'

/** Where it stands who is logged in, and what they may. */
export const ME_PATH = '/api/admin/user'
/** Where all environments are. */
export const ENVIRONMENTS_PATH = '/api/admin/environments'

/**
 * What a list of flags needs before it can show its first rows, and where that is: the one list of it. `early-reads.ts` asks for
 * each, and `first-reads.ts` has a query for each, by its name.
 */
export const firstPaths = (query: FlagQuery) => ({
  me: ME_PATH,
  flags: flagSearchPath(query, 0, PAGE_ROWS),
  environments: ENVIRONMENTS_PATH,
})

/** Names of what is needed first. */
export type FirstRead = keyof ReturnType<typeof firstPaths>
