import { parseTexts } from '../shell/search-params.ts'

/** URL parameters of the archive. Pages start at 1. */
export interface ArchiveSearch {
  readonly q?: string
  readonly project?: string
  readonly page?: number
}

/** Parses the URL parameters. */
export function parseArchiveSearch(given: Record<string, unknown>): ArchiveSearch {
  const page = Number(given.page)
  return { ...parseTexts(given, ['q', 'project']), ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}) }
}
