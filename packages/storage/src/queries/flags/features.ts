import type { VariantDefinition } from '@burgee/protocol/feature'
import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'

/** Row of the flag table. */
export type FeatureRow = Selectable<Schema['features']>

/** State of a flag in one environment. */
export interface FeatureEnvironmentRow {
  environment: string
  type: string
  sort_order: number
  enabled: number
  variants: VariantDefinition[]
  last_seen_at: number | null
}

/** Returns the flag with a name, archived or not. Names are unique across projects. */
export function findFeature(reader: Reader, name: string): Promise<FeatureRow | undefined> {
  return reader.selectFrom('features').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Returns the flags with the given names in any order, including archived flags. */
export async function listFeaturesByName(reader: Reader, names: readonly string[]): Promise<FeatureRow[]> {
  const found: FeatureRow[] = []
  for (const part of chunks(names)) {
    found.push(...(await reader.selectFrom('features').selectAll().where('name', 'in', part).execute()))
  }
  return found
}

/**
 * Returns the variants of flags in all environments, by flag. If several environments have a variant with the same
 * name, returns the variant from the first environment.
 */
export async function readVariantsOfFeatures(
  reader: Reader,
  names: readonly string[],
): Promise<Map<string, VariantDefinition[]>> {
  const found = new Map<string, VariantDefinition[]>()
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('feature_environments as f')
      .innerJoin('environments as e', 'e.name', 'f.environment')
      .select(['f.feature_name', 'f.variants'])
      .where('f.feature_name', 'in', part)
      .orderBy('e.sort_order')
      .orderBy('e.name')
      .execute()
    for (const { feature_name: name, variants } of rows.filter((row) => row.variants.length > 0)) {
      found.set(name, filterDistinctVariants([...(found.get(name) ?? []), ...variants]))
    }
  }
  return found
}

/** Keeps one variant per name: the first in the list. */
export function filterDistinctVariants(variants: readonly VariantDefinition[]): VariantDefinition[] {
  return variants.filter(({ name }, index) => variants.findIndex((one) => one.name === name) === index)
}

/** Returns the state of a flag in each environment, in display order of the environments. */
export function listFeatureEnvironments(reader: Reader, name: string): Promise<FeatureEnvironmentRow[]> {
  return reader
    .selectFrom('feature_environments as f')
    .innerJoin('environments as e', 'e.name', 'f.environment')
    .select(['f.environment', 'e.type', 'e.sort_order', 'f.enabled', 'f.variants', 'f.last_seen_at'])
    .where('f.feature_name', '=', name)
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
}

/** Flag with its state in one environment. */
export interface FeatureInEnvironment {
  readonly feature: FeatureRow
  /** State of the flag in the environment; undefined if the flag does not exist there. */
  readonly state:
    | { readonly type: string; readonly enabled: number; readonly variants: VariantDefinition[] }
    | undefined
}

const readFeatureWithState = defineStatement(
  (reader, at: Placeholders<{ readonly name: string; readonly environment: string }>) =>
    reader
      .selectFrom('features as f')
      .leftJoin('feature_environments as x', (join) =>
        join.onRef('x.feature_name', '=', 'f.name').on('x.environment', '=', at('environment')),
      )
      .leftJoin('environments as e', 'e.name', 'x.environment')
      .selectAll('f')
      .select(['e.type as environment_type', 'x.enabled', 'x.variants'])
      .where('f.name', '=', at('name')),
)

/** Returns the flag with a name, and its state in one environment. Returns undefined if there is no such flag. */
export async function findFeatureInEnvironment(
  reader: Reader,
  name: string,
  environment: string,
): Promise<FeatureInEnvironment | undefined> {
  const [row] = await readFeatureWithState(reader, { name, environment })
  if (row === undefined) return undefined
  const { environment_type: type, enabled, variants, ...feature } = row
  const isThere = type !== null && enabled !== null && variants !== null
  return { feature, state: isThere ? { type, enabled, variants } : undefined }
}

/** Sets the enabled state of a flag in an environment. */
export const storeEnabled = defineStatement(
  (tx: Tx, at: Placeholders<{ readonly feature: string; readonly environment: string; readonly enabled: number }>) =>
    tx
      .updateTable('feature_environments')
      .set({ enabled: at('enabled') })
      .where('feature_name', '=', at('feature'))
      .where('environment', '=', at('environment')),
)

/** Returns the names of a project's environments. */
export async function listProjectEnvironmentNames(reader: Reader, project: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('project_environments as p')
    .innerJoin('environments as e', 'e.name', 'p.environment')
    .select('e.name')
    .where('p.project', '=', project)
    .orderBy('e.sort_order')
    .execute()
  return rows.map((row) => row.name)
}

/** Inserts a flag, and adds it, disabled and without variants, to all environments of its project. */
export async function insertFeature(tx: Tx, row: FeatureRow, environments: readonly string[]): Promise<void> {
  await tx.insertInto('features').values(row).execute()
  if (environments.length === 0) return
  await tx
    .insertInto('feature_environments')
    .values(environments.map((environment) => ({ feature_name: row.name, environment, enabled: 0, variants: '[]' })))
    .execute()
}
