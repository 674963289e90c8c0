import type { Reader } from '../../database.ts'

/** Lists the flags of some projects, or of all projects, sorted by name. Leaves out archived flags. */
export function listLiveFeatures(
  reader: Reader,
  projects: readonly string[] | undefined,
): Promise<{ name: string; project: string }[]> {
  let query = reader.selectFrom('features').select(['name', 'project']).where('archived_at', 'is', null)
  // an empty list would be invalid SQL, so the list contains '', which is no project's id
  if (projects !== undefined) query = query.where('project', 'in', [...projects, ''])
  return query.orderBy('name').execute()
}
