import { textsOf } from '../shell/search-params.ts'

/** What the address of the applications says: text to look for. */
export interface ApplicationsSearch {
  readonly q?: string
}

/** Reads the address. */
export const readApplicationsSearch = (given: Record<string, unknown>): ApplicationsSearch => textsOf(given, ['q'])
