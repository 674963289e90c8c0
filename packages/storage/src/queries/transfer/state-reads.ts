import type { Reader } from '../../database.ts'

/** Returns all flags that are not archived, sorted by name. */
export function listLiveFlags(reader: Reader) {
  return reader.selectFrom('features').selectAll().where('archived_at', 'is', null).orderBy('name').execute()
}

/**
 * Returns the strategies of the given flags, each with the project of its flag. Omits archived flags. The result is
 * sorted by flag, environment and evaluation order.
 */
export function listLiveStrategies(reader: Reader, names: readonly string[]) {
  return reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .selectAll('s')
    .select('f.project')
    .where('f.archived_at', 'is', null)
    .where('s.feature_name', 'in', names)
    .orderBy('s.feature_name')
    .orderBy('s.environment')
    .orderBy('s.sort_order')
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute()
}

/** Returns the states and variants of the given flags in each of their environments. Omits archived flags. */
export function listLiveStates(reader: Reader, names: readonly string[]) {
  return reader
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .select(['x.feature_name', 'x.environment', 'x.enabled', 'x.variants'])
    .where('f.archived_at', 'is', null)
    .where('x.feature_name', 'in', names)
    .orderBy('x.feature_name')
    .orderBy('x.environment')
    .execute()
}

/** Returns the tags of the given flags; omits archived flags. */
export function listLiveTags(reader: Reader, names: readonly string[]) {
  return reader
    .selectFrom('feature_tags as t')
    .innerJoin('features as f', 'f.name', 't.feature_name')
    .select(['t.feature_name', 't.type', 't.value'])
    .where('f.archived_at', 'is', null)
    .where('t.feature_name', 'in', names)
    .orderBy('t.feature_name')
    .orderBy('t.type')
    .orderBy('t.value')
    .execute()
}

/** Returns which segments the strategies of the given flags use. Omits archived flags. */
export function listLiveSegmentLinks(reader: Reader, names: readonly string[]) {
  return reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['x.strategy_id', 'x.segment_id'])
    .where('f.archived_at', 'is', null)
    .where('s.feature_name', 'in', names)
    .orderBy('x.strategy_id')
    .orderBy('x.segment_id')
    .execute()
}

/** Returns all projects, including archived projects, sorted by id. */
export function listAllProjects(reader: Reader) {
  return reader.selectFrom('projects').selectAll().orderBy('id').execute()
}

/** Returns all environments in display order. */
export function listAllEnvironments(reader: Reader) {
  return reader.selectFrom('environments').selectAll().orderBy('sort_order').orderBy('name').execute()
}

/** Returns the names of all flags, each with its project and its archiving time. */
export function listFlagProjects(reader: Reader) {
  return reader.selectFrom('features').select(['name', 'project', 'archived_at']).orderBy('name').execute()
}
