import { textsOf } from '../shell/search-params.ts'

/** URL parameters of the applications page. */
export interface ApplicationsSearch {
  readonly q?: string
}

/** Parses the URL parameters. */
export const readApplicationsSearch = (given: Record<string, unknown>): ApplicationsSearch => textsOf(given, ['q'])
