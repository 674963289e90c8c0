import { textsOf } from '../shell/search-params.ts'

/** URL parameters of the profile page: `new` while a token is created. */
export interface ProfileSearch {
  readonly token?: string
}

/** Parses the URL parameters. */
export const readProfileSearch = (given: Record<string, unknown>): ProfileSearch => textsOf(given, ['token'])
