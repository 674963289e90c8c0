import type { Reader } from '../database.ts'

/** Lists the flags that are not archived, of some projects or of all, sorted by name. */
export function liveFeatures(
  reader: Reader,
  projects: readonly string[] | undefined,
): Promise<{ name: string; project: string }[]> {
  let query = reader.selectFrom('features').select(['name', 'project']).where('archived_at', 'is', null)
  // no project has an empty id; without it, an empty list would be invalid SQL
  if (projects !== undefined) query = query.where('project', 'in', [...projects, ''])
  return query.orderBy('name').execute()
}
