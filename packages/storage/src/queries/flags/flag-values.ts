import type { VariantDefinition } from '@burgee/protocol/feature'
import type { ManifestType } from '@burgee/protocol/openfeature/manifest'
import type { Reader, Tx } from '../../database.ts'

/** Value type that users have declared for a flag, and the default value of that type. */
export interface DeclaredValue {
  readonly type: ManifestType
  readonly defaultValue: unknown
}

/** Flag with all data that determines the type of its value. */
export interface ValuedFlag {
  readonly name: string
  readonly project: string
  readonly description: string | null
  readonly declared: DeclaredValue | undefined
  /** Variants of the flag and of its enabled strategies, in all environments. */
  readonly variants: readonly VariantDefinition[]
}

/** Selects either the flags of some projects ('*' for all projects) or one flag by its name. */
export type ValuedFlagSelection = { readonly projects: readonly string[] } | { readonly name: string }

/**
 * Returns the selected flags, sorted by name; the number of queries does not depend on the number of flags. Omits
 * archived flags. The reader must be a view, so that all queries see the same snapshot.
 */
export async function listValuedFlags(reader: Reader, choice: ValuedFlagSelection): Promise<ValuedFlag[]> {
  let flags = reader
    .selectFrom('features as f')
    .leftJoin('feature_values as v', 'v.feature_name', 'f.name')
    .select(['f.name', 'f.project', 'f.description', 'v.value_type', 'v.default_value'])
    .where('f.archived_at', 'is', null)
  let own = reader
    .selectFrom('feature_environments as e')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .select(['e.feature_name', 'e.variants'])
  let ofStrategies = reader
    .selectFrom('feature_strategies as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .select(['s.feature_name', 's.variants'])
    .where('s.disabled', '=', 0)
  if ('name' in choice) {
    flags = flags.where('f.name', '=', choice.name)
    own = own.where('f.name', '=', choice.name)
    ofStrategies = ofStrategies.where('f.name', '=', choice.name)
  } else if (!choice.projects.includes('*')) {
    if (choice.projects.length === 0) return []
    flags = flags.where('f.project', 'in', choice.projects)
    own = own.where('f.project', 'in', choice.projects)
    ofStrategies = ofStrategies.where('f.project', 'in', choice.projects)
  }
  const [rows, ...lists] = await Promise.all([flags.orderBy('f.name').execute(), own.execute(), ofStrategies.execute()])
  const variants = new Map<string, VariantDefinition[]>()
  for (const { feature_name: name, variants: some } of lists.flat()) {
    if (some.length > 0) variants.set(name, [...(variants.get(name) ?? []), ...some])
  }
  return rows.map(({ name, project, description, value_type: type, default_value: text }) => ({
    name,
    project,
    description,
    variants: variants.get(name) ?? [],
    declared: type === null || text === null ? undefined : { type, defaultValue: JSON.parse(text) },
  }))
}

/** Sets the declared type and default value of a flag. */
export async function putDeclaredValue(tx: Tx, name: string, { type, defaultValue }: DeclaredValue): Promise<void> {
  const value = { value_type: type, default_value: JSON.stringify(defaultValue) }
  await tx
    .insertInto('feature_values')
    .values({ feature_name: name, ...value })
    .onConflict((conflict) => conflict.column('feature_name').doUpdateSet(value))
    .execute()
}

/** Copies the declared type and default value of one flag to another. */
export async function copyDeclaredValue(tx: Tx, from: string, to: string): Promise<void> {
  await tx
    .insertInto('feature_values')
    .columns(['feature_name', 'value_type', 'default_value'])
    .expression(
      tx
        .selectFrom('feature_values')
        .select((value) => [value.val(to).as('feature_name'), 'value_type', 'default_value'])
        .where('feature_name', '=', from),
    )
    .execute()
}

/** Returns the time of the last event of a flag; undefined if the flag has no events. */
export async function findLastChange(reader: Reader, name: string): Promise<number | undefined> {
  const row = await reader
    .selectFrom('events')
    .select('created_at')
    .where('feature_name', '=', name)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** Returns the first protected environment in which the flag is on; undefined if there is none. */
export async function findProtectedEnvironment(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('feature_environments as f')
    .innerJoin('environments as e', 'e.name', 'f.environment')
    .select('e.name')
    .where('f.feature_name', '=', name)
    .where('f.enabled', '=', 1)
    .where('e.protected', '=', 1)
    .orderBy('e.sort_order')
    .limit(1)
    .executeTakeFirst()
  return row?.name
}
