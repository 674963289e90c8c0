import type { Reader } from '../../database.ts'

const REMOVED = 'project-environment-removed'

/**
 * Returns the environments that users have removed from projects, by project id. Omits environments that were added to
 * the project again.
 */
export async function readRemovedEnvironments(reader: Reader): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await reader
    .selectFrom('events')
    .select(['type', 'project', 'environment'])
    .where('type', 'in', [REMOVED, 'project-environment-added'])
    .orderBy('id')
    .execute()
  const removed = new Map<string, Set<string>>()
  for (const { type, project, environment } of rows) {
    if (project === null || environment === null) continue
    const own = removed.get(project) ?? new Set<string>()
    removed.set(project, own)
    if (type === REMOVED) own.add(environment)
    else own.delete(environment)
  }
  return removed
}
