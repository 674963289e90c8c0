import { textsOf } from '../shell/search-params.ts'

/** What the address of the projects says: text to look for, archived ones instead, and whether one is made. */
export interface ProjectsSearch {
  readonly q?: string
  readonly show?: string
  readonly edit?: string
}

/** Reads the address. */
export const readProjectsSearch = (given: Record<string, unknown>): ProjectsSearch =>
  textsOf(given, ['q', 'show', 'edit'])
