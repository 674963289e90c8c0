import { parseTexts } from '../shell/search-params.ts'

/** URL parameters of the applications page. */
export interface ApplicationsSearch {
  readonly q?: string
}

/** Parses the URL parameters. */
export const parseApplicationsSearch = (given: Record<string, unknown>): ApplicationsSearch => parseTexts(given, ['q'])
