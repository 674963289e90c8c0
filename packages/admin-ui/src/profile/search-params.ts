import { parseTexts } from '../shell/search-params.ts'

/** URL parameters of the profile page: `new` while a token is created. */
export interface ProfileSearch {
  readonly token?: string
}

/** Parses the URL parameters. */
export const parseProfileSearch = (given: Record<string, unknown>): ProfileSearch => parseTexts(given, ['token'])
