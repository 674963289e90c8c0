import { parseTexts } from '../shell/search-params.ts'

/** URL parameters of the connect page: SDK, project and environment. */
export interface ConnectSearch {
  readonly sdk?: string
  readonly project?: string
  readonly env?: string
}

/** Parses the URL parameters. */
export const parseConnectSearch = (given: Record<string, unknown>): ConnectSearch =>
  parseTexts(given, ['sdk', 'project', 'env'])
