import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'

/**
 * Returns the given names that belong to a flag of one of the projects, or once did, according to the projects' events.
 */
export async function readNamesWithHistory(
  reader: Reader,
  projects: readonly string[],
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  if (projects.length === 0) return found
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('events')
      .select('feature_name')
      .distinct()
      .where('feature_name', 'in', part)
      .where('project', 'in', projects)
      .execute()
    for (const { feature_name } of rows) if (feature_name !== null) found.add(feature_name)
  }
  return found
}

/**
 * Returns the project in which the last event of a flag with this name took place; undefined if there is no such event.
 */
export async function findLastProject(reader: Reader, featureName: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('events')
    .select('project')
    .where('feature_name', '=', featureName)
    .where('project', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.project ?? undefined
}
