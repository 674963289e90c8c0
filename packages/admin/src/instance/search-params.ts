import { textsOf } from '../shell/search-params.ts'

/** What the address of the instance says: text to look for, and which application is open. */
export interface InstanceSearch {
  readonly q?: string
  readonly app?: string
}

/** Reads the address. */
export const readInstanceSearch = (given: Record<string, unknown>): InstanceSearch => textsOf(given, ['q', 'app'])
