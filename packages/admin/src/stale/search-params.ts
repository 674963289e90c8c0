import { textsOf } from '../shell/search-params.ts'

/** URL parameters of the page of stale flags: project (`*` for all), reason, and whether snoozed flags are shown. */
export interface StalePageSearch {
  readonly project?: string
  readonly reason?: string
  readonly show?: string
}

/** Parses the URL parameters. */
export const readStaleSearch = (given: Record<string, unknown>): StalePageSearch =>
  textsOf(given, ['project', 'reason', 'show'])
