import type { Reader } from '../database.ts'

/** Flags that are not archived, by name. */
export function liveFlags(reader: Reader) {
  return reader.selectFrom('features').selectAll().where('archived_at', 'is', null).orderBy('name').execute()
}

/** Strategies of flags that are not archived, with their flag's project, by flag, environment and order. */
export function liveStrategies(reader: Reader) {
  return reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .selectAll('s')
    .select('f.project')
    .where('f.archived_at', 'is', null)
    .orderBy('s.feature_name')
    .orderBy('s.environment')
    .orderBy('s.sort_order')
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute()
}

/** What flags that are not archived are in their environments. */
export function liveStates(reader: Reader) {
  return reader
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .select(['x.feature_name', 'x.environment', 'x.enabled', 'x.variants'])
    .where('f.archived_at', 'is', null)
    .orderBy('x.feature_name')
    .orderBy('x.environment')
    .execute()
}

/** Tags of flags that are not archived. */
export function liveTags(reader: Reader) {
  return reader
    .selectFrom('feature_tags as t')
    .innerJoin('features as f', 'f.name', 't.feature_name')
    .select(['t.feature_name', 't.type', 't.value'])
    .where('f.archived_at', 'is', null)
    .orderBy('t.feature_name')
    .orderBy('t.type')
    .orderBy('t.value')
    .execute()
}

/** Which strategies use which segments, those of flags that are not archived. */
export function liveSegmentLinks(reader: Reader) {
  return reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['x.strategy_id', 'x.segment_id'])
    .where('f.archived_at', 'is', null)
    .orderBy('x.strategy_id')
    .orderBy('x.segment_id')
    .execute()
}

/** Projects, archived ones too, by id. */
export function allProjects(reader: Reader) {
  return reader.selectFrom('projects').selectAll().orderBy('id').execute()
}

/** Environments in their order. */
export function allEnvironments(reader: Reader) {
  return reader.selectFrom('environments').selectAll().orderBy('sort_order').orderBy('name').execute()
}

/** Names of flags, archived ones too, with their project and whether they are archived. */
export function flagPlaces(reader: Reader) {
  return reader.selectFrom('features').select(['name', 'project', 'archived_at']).orderBy('name').execute()
}
