import { textsOf } from '../shell/search-params.ts'

/** What the address of the page that connects an SDK says: which SDK, and for which project and environment. */
export interface ConnectSearch {
  readonly sdk?: string
  readonly project?: string
  readonly env?: string
}

/** Reads the address. */
export const readConnectSearch = (given: Record<string, unknown>): ConnectSearch =>
  textsOf(given, ['sdk', 'project', 'env'])
