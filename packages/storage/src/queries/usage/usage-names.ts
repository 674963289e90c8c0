import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'
import type { UsageCount } from './usage.ts'

/**
 * Returns the project of each flag that has one of the given names, including archived flags; omits names that no flag
 * has.
 */
export async function readProjects(reader: Reader, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const part of chunks(names)) {
    const rows = await readProjectRows(reader, { names: part })
    for (const { name, project } of rows) found.set(name, project)
  }
  return found
}

const readProjectRows = defineStatement(
  (reader, at: Placeholders<{ readonly names: readonly string[] }>, names: number) =>
    reader.selectFrom('features').select(['name', 'project']).where('name', 'in', at.each('names', names)),
  ({ names }) => [names.length],
)

/** Returns the project of each flag that has one of the given names and is not archived. */
export async function readLiveProjects(reader: Reader, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const part of chunks(names)) {
    for (const { name, project } of await readLiveProjectRows(reader, { names: part })) found.set(name, project)
  }
  return found
}

const readLiveProjectRows = defineStatement(
  (reader, at: Placeholders<{ readonly names: readonly string[] }>, names: number) =>
    reader
      .selectFrom('features')
      .select(['name', 'project'])
      .where('name', 'in', at.each('names', names))
      .where('archived_at', 'is', null),
  ({ names }) => [names.length],
)

/** Returns the names of all variants that flags and their strategies have in any environment, by flag name. */
export async function readVariantNames(reader: Reader, names: readonly string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  for (const part of chunks(names)) {
    for (const table of ['feature_environments', 'feature_strategies'] as const) {
      const rows = await reader
        .selectFrom(table)
        .select(['feature_name', 'variants'])
        .where('feature_name', 'in', part)
        .where('variants', '!=', '[]' as never)
        .execute()
      for (const { feature_name: feature, variants } of rows) {
        const known = found.get(feature) ?? new Set()
        found.set(feature, known)
        for (const { name } of variants) known.add(name)
      }
    }
  }
  return found
}

type CountKey = Pick<UsageCount, 'environment' | 'appName' | 'featureName' | 'hour'>

/**
 * Reads which variant names are already stored for the given counts. Returns a function that looks up the names for a
 * count.
 */
export async function readStoredVariants(
  reader: Reader,
  counts: readonly CountKey[],
): Promise<(count: CountKey) => readonly string[] | undefined> {
  const hours = [...new Set(counts.map((count) => count.hour))]
  const found = new Map<string, string[]>()
  for (const part of chunks([...new Set(counts.map((count) => count.featureName))])) {
    const rows = await reader
      .selectFrom('client_metrics_variants')
      .select(['feature_name', 'environment', 'app_name', 'hour', 'variant'])
      .where('feature_name', 'in', part)
      .where('hour', 'in', hours)
      .execute()
    for (const row of rows) {
      const key = getCountKey({ ...row, featureName: row.feature_name, appName: row.app_name, hour: Number(row.hour) })
      found.set(key, [...(found.get(key) ?? []), row.variant])
    }
  }
  return (count) => found.get(getCountKey(count))
}

function getCountKey({ environment, appName, featureName, hour }: CountKey): string {
  return JSON.stringify([environment, appName, featureName, hour])
}
