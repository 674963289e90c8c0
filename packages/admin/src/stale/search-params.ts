import { textsOf } from '../shell/search-params.ts'

/** What the address of the stale flags says: of which project (`*`: of all), for which reason, and whether those put off. */
export interface StalePageSearch {
  readonly project?: string
  readonly reason?: string
  readonly show?: string
}

/** Reads the address. */
export const readStaleSearch = (given: Record<string, unknown>): StalePageSearch =>
  textsOf(given, ['project', 'reason', 'show'])
