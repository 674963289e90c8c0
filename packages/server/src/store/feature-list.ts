import type { Reader } from './database.ts'
import { featuresOf } from './features.ts'

/** Everything a project's list of flags shows, grouped by flag; four queries however many flags there are. */
export async function listRows(reader: Reader, project: string) {
  const features = await featuresOf(reader, project)
  const environments = await reader
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .innerJoin('environments as e', 'e.name', 'x.environment')
    .select(['x.feature_name', 'x.environment', 'x.enabled', 'x.variants', 'x.last_seen_at', 'e.type', 'e.sort_order'])
    .where('f.project', '=', project)
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
  const strategies = await reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['s.feature_name', 's.environment', 's.disabled'])
    .where('f.project', '=', project)
    .execute()
  const tags = await reader
    .selectFrom('feature_tags as t')
    .innerJoin('features as f', 'f.name', 't.feature_name')
    .select(['t.feature_name', 't.type', 't.value'])
    .where('f.project', '=', project)
    .orderBy('t.type')
    .orderBy('t.value')
    .execute()
  return {
    features,
    environments: Map.groupBy(environments, (row) => row.feature_name),
    strategies: Map.groupBy(strategies, (row) => row.feature_name),
    tags: Map.groupBy(tags, (row) => row.feature_name),
  }
}

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
