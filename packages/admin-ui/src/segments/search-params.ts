import { type EditSearch, parseEditSearch } from '../shell/edit-search-params.ts'
import { parseTexts } from '../shell/search-params.ts'

/**
 * URL parameters of the segments page. If a project is given, the list contains only segments that this project's flags
 * can use.
 */
export interface SegmentSearch extends EditSearch {
  readonly project?: string
}

/** Parses the URL parameters. */
export function parseSegmentSearch(given: Record<string, unknown>): SegmentSearch {
  return { ...parseEditSearch(given), ...parseTexts(given, ['project']) }
}
