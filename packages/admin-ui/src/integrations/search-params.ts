import { parseTexts } from '../shell/search-params.ts'

/**
 * URL parameters of the integrations page: the edited integration (`new` for a new integration), or the integration
 * whose log is shown.
 */
export interface IntegrationSearch {
  readonly edit?: string
  readonly log?: string
}

/** Parses the URL parameters. */
export const parseIntegrationSearch = (given: Record<string, unknown>): IntegrationSearch =>
  parseTexts(given, ['edit', 'log'])
