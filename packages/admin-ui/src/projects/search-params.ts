import { parseTexts } from '../shell/search-params.ts'

/** URL parameters of the projects page: search text, archived instead of active projects, and the create dialog. */
export interface ProjectsSearch {
  readonly q?: string
  readonly show?: string
  readonly edit?: string
}

/** Parses the URL parameters. */
export const parseProjectsSearch = (given: Record<string, unknown>): ProjectsSearch =>
  parseTexts(given, ['q', 'show', 'edit'])
