import { textsOf } from '../shell/search-params.ts'

/** What the address of the archive says: text, project and page, from 1. */
export interface ArchiveSearch {
  readonly q?: string
  readonly project?: string
  readonly page?: number
}

/** Reads the address. */
export function readArchiveSearch(given: Record<string, unknown>): ArchiveSearch {
  const page = Number(given.page)
  return { ...textsOf(given, ['q', 'project']), ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}) }
}
