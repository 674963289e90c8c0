import { textsOf } from '../shell/search-params.ts'

/** What the address of one's own page says: `new` while a token is made. */
export interface ProfileSearch {
  readonly token?: string
}

/** Reads the address. */
export const readProfileSearch = (given: Record<string, unknown>): ProfileSearch => textsOf(given, ['token'])
