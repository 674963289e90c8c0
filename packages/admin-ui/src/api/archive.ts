import type { FlagListPage, FlagRef } from './flags.ts'
import { buildPath, buildQueryString, call } from './http.ts'

/** Search query for archived flags. */
export interface ArchiveQuery {
  readonly text: string
  /** Project that contains the flags. If undefined, the search covers all projects. */
  readonly project: string | undefined
  readonly offset: number
  readonly limit: number
}

/** Searches archived flags and returns one page, sorted by name, with the total. */
export const searchArchive = ({ text, project, offset, limit }: ArchiveQuery) =>
  call<FlagListPage>(
    'GET',
    `/api/admin/search/features${buildQueryString({
      archived: 'IS:true',
      query: text,
      project: project === undefined ? undefined : `IS:${project}`,
      sortBy: 'name',
      sortOrder: 'asc',
      offset,
      limit,
    })}`,
  )

/** Revives, archives or permanently deletes flags. In each project, the server changes either all flags or no flag. */
export async function updateArchivedFlags(
  what: 'revive' | 'archive' | 'delete',
  flags: readonly FlagRef[],
): Promise<void> {
  for (const [project, own] of Map.groupBy(flags, (one) => one.project)) {
    const features = own.map(({ feature }) => feature)
    await call<void>('POST', buildPath('api', 'admin', 'projects', project, what), { features })
  }
}
