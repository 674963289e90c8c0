import { textsOf } from '../shell/search-params.ts'

/** What the address of the integrations says: which one is edited (`new` for a new one), or whose log is shown. */
export interface IntegrationSearch {
  readonly edit?: string
  readonly log?: string
}

/** Reads the address. */
export const readIntegrationSearch = (given: Record<string, unknown>): IntegrationSearch =>
  textsOf(given, ['edit', 'log'])
