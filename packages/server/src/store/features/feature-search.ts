import type { Reader } from '../database.ts'
import type { FeatureRow } from './features.ts'

/** All flags, either those that are archived or the others, in no order. */
export function searchRows(reader: Reader, archived: boolean): Promise<FeatureRow[]> {
  return reader
    .selectFrom('features')
    .selectAll()
    .where('archived_at', archived ? 'is not' : 'is', null)
    .execute()
}

/** Tags by flag, as `type:value`. */
export async function taggedAs(reader: Reader): Promise<Map<string, string[]>> {
  const rows = await reader.selectFrom('feature_tags').selectAll().execute()
  return grouped(rows.map(({ feature_name, type, value }) => [feature_name, `${type}:${value}`]))
}

/** Names of segments by flag, of all flags or of some. */
export async function usingSegments(reader: Reader, names?: readonly string[]): Promise<Map<string, string[]>> {
  let query = reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('segments as g', 'g.id', 'x.segment_id')
    .select(['s.feature_name', 'g.name'])
    .distinct()
    .orderBy('g.name')
  if (names !== undefined) query = query.where('s.feature_name', 'in', [...names, ''])
  return grouped((await query.execute()).map(({ feature_name, name }) => [feature_name, name]))
}

/** Whether flags are on, by environment and name. */
export async function enabledIn(
  reader: Reader,
  environments: readonly string[],
): Promise<Map<string, Map<string, boolean>>> {
  const rows = await reader
    .selectFrom('feature_environments')
    .select(['feature_name', 'environment', 'enabled'])
    .where('environment', 'in', [...environments, ''])
    .execute()
  const found = new Map<string, Map<string, boolean>>()
  for (const { feature_name, environment, enabled } of rows) {
    const states = found.get(environment) ?? new Map<string, boolean>()
    found.set(environment, states.set(feature_name, enabled === 1))
  }
  return found
}

/** How flags are tied to others: whether others depend on them, or they on another. */
export async function dependencyTypes(
  reader: Reader,
  names: readonly string[],
): Promise<Map<string, 'parent' | 'child'>> {
  const rows = await reader
    .selectFrom('feature_dependencies')
    .select(['parent', 'child'])
    .where(({ or, eb }) => or([eb('child', 'in', [...names, '']), eb('parent', 'in', [...names, ''])]))
    .execute()
  return new Map(rows.flatMap(({ parent, child }) => [[parent, 'parent'] as const, [child, 'child'] as const]))
}

/** How often flags were on and off since a time (milliseconds since 1970), by flag and environment. */
export async function countsSince(
  reader: Reader,
  names: readonly string[],
  sinceMs: number,
): Promise<Map<string, Map<string, { yes: number; no: number }>>> {
  const rows = await reader
    .selectFrom('client_metrics')
    .select(({ fn }) => ['feature_name', 'environment', fn.sum<number>('yes').as('yes'), fn.sum<number>('no').as('no')])
    .where('feature_name', 'in', [...names, ''])
    .where('hour', '>=', sinceMs)
    .groupBy(['feature_name', 'environment'])
    .execute()
  const found = new Map<string, Map<string, { yes: number; no: number }>>()
  for (const { feature_name, environment, yes, no } of rows) {
    const counts = found.get(feature_name) ?? new Map<string, { yes: number; no: number }>()
    found.set(feature_name, counts.set(environment, { yes: Number(yes), no: Number(no) }))
  }
  return found
}

function grouped(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [key, value] of pairs) {
    const list = found.get(key)
    if (list === undefined) found.set(key, [value])
    else list.push(value)
  }
  return found
}
