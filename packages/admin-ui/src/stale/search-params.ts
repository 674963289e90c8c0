import { parseTexts } from '../shell/search-params.ts'

/**
 * URL parameters of the page about stale flags: the project (`*` for all projects), the reason, and true to show
 * snoozed flags.
 */
export interface StalePageSearch {
  readonly project?: string
  readonly reason?: string
  readonly show?: string
}

/** Parses the URL parameters. */
export const parseStaleSearch = (given: Record<string, unknown>): StalePageSearch =>
  parseTexts(given, ['project', 'reason', 'show'])
