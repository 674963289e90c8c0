import { textsOf } from '../shell/search-params.ts'

/** URL parameters of the connect page: SDK, project and environment. */
export interface ConnectSearch {
  readonly sdk?: string
  readonly project?: string
  readonly env?: string
}

/** Parses the URL parameters. */
export const readConnectSearch = (given: Record<string, unknown>): ConnectSearch =>
  textsOf(given, ['sdk', 'project', 'env'])
