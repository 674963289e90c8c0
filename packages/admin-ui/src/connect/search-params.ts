import { parseTexts } from '../shell/search-params.ts'

/** URL parameters of the connect page: SDK, project, environment, and the flag in the sample code. */
export interface ConnectSearch {
  readonly sdk?: string
  readonly project?: string
  readonly env?: string
  readonly flag?: string
}

/** Parses the URL parameters. */
export const parseConnectSearch = (given: Record<string, unknown>): ConnectSearch =>
  parseTexts(given, ['sdk', 'project', 'env', 'flag'])
