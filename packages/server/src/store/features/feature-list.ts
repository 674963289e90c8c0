import type { Reader } from '../database.ts'

/** Which flags a list holds. */
export interface ListCondition {
  /** All projects where it is left out. */
  readonly project?: string | undefined
  /** The archived ones, instead of the others. */
  readonly archived?: boolean | undefined
  /** Only these. */
  readonly names?: readonly string[] | undefined
}

/** Everything a list of flags shows, grouped by flag; four queries however many flags there are. */
export async function listRows(reader: Reader, filter: ListCondition) {
  const features = await filtered(reader, filter).selectAll('f').orderBy('f.name').execute()
  const environments = await filtered(reader, filter)
    .innerJoin('feature_environments as x', 'x.feature_name', 'f.name')
    .innerJoin('environments as e', 'e.name', 'x.environment')
    .select(['x.feature_name', 'x.environment', 'x.enabled', 'x.variants', 'x.last_seen_at', 'e.type', 'e.sort_order'])
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
  const strategies = await filtered(reader, filter)
    .innerJoin('feature_strategies as s', 's.feature_name', 'f.name')
    .select(['s.feature_name', 's.environment', 's.disabled'])
    .execute()
  const tags = await filtered(reader, filter)
    .innerJoin('feature_tags as t', 't.feature_name', 'f.name')
    .select(['t.feature_name', 't.type', 't.value'])
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

function filtered(reader: Reader, { project, archived = false, names }: ListCondition) {
  let query = reader.selectFrom('features as f').where('f.archived_at', archived ? 'is not' : 'is', null)
  if (names !== undefined) query = query.where('f.name', 'in', [...names, ''])
  return project === undefined ? query : query.where('f.project', '=', project)
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
