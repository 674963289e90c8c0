import type { Reader } from '../database.ts'

/** Flags that are not archived, of some projects or of all, by name. */
export function liveFeatures(
  reader: Reader,
  projects: readonly string[] | undefined,
): Promise<{ name: string; project: string }[]> {
  let query = reader.selectFrom('features').select(['name', 'project']).where('archived_at', 'is', null)
  // no project has an empty id: an empty list is no SQL
  if (projects !== undefined) query = query.where('project', 'in', [...projects, ''])
  return query.orderBy('name').execute()
}
