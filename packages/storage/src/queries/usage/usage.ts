import { compareText } from '@burgee/kit/compare-text'
import type { Expression, ExpressionBuilder, Selectable, StringReference } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Schema, Tx } from '../../database.ts'
import { expandRows } from '../../json-rows.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'

/** Evaluations of a flag within one hour. */
export interface UsageCount {
  readonly environment: string
  readonly appName: string
  readonly featureName: string
  /** Start of the hour, in milliseconds since 1970. */
  readonly hour: number
  readonly yes: number
  readonly no: number
  readonly variants: ReadonlyMap<string, number>
}

/** SDK instance that has registered. */
export interface RegisteredInstance {
  readonly appName: string
  readonly instanceId: string
  readonly environment: string
  /** Projects of the instance's token: project ids, or `*`. */
  readonly projects: readonly string[]
  readonly sdkVersion: string | null
  readonly address: string | null
  readonly strategies: readonly string[]
  /** True if the instance uses a public token. */
  readonly isPublic: boolean
}

/** Maximum of a stored sum: the largest integer that every JSON parser represents exactly. */
const MAX_SUM = Number.MAX_SAFE_INTEGER

/**
 * Maximum number of projects that are stored for one token. For a token with more projects, `*` is stored instead, to
 * limit the data that an application can cause.
 */
const MAX_PROJECTS = 50

/**
 * Adds usage counts to the stored counts, whose maximum is 2^53 − 1. The counts must have distinct keys. The number of
 * statements is bounded, and their order is always the same, to avoid deadlocks between nodes.
 */
export async function addUsage(tx: Tx, counts: readonly UsageCount[]): Promise<void> {
  const rows = counts.map((count) => ({
    ...toKeyColumns(count),
    yes: count.yes,
    no: count.no,
    variants: count.variants,
  }))
  rows.sort(
    (a, b) => compareText(a.feature_name, b.feature_name) || compareText(a.app_name, b.app_name) || a.hour - b.hour,
  )
  for (const part of chunks(rows)) {
    const lists = part.map((row) => COUNT_COLUMNS.map(([column]) => row[column]))
    await insertCounts(tx, { rows: JSON.stringify(lists) })
  }
  const variantRows = rows.flatMap(({ variants, yes: _yes, no: _no, ...key }) =>
    [...variants].map(([variant, count]) => ({ ...key, variant, count })),
  )
  await addVariants(tx, variantRows)
}

/**
 * Adds variant counts to the stored counts, whose maximum is 2^53 − 1. All nodes must pass the rows in the same order.
 */
export async function addVariants(
  tx: Tx,
  rows: readonly Selectable<Schema['client_metrics_variants']>[],
): Promise<void> {
  for (const part of chunks(rows)) {
    const lists = part.map((row) => VARIANT_COUNT_COLUMNS.map(([column]) => row[column]))
    await insertVariantCounts(tx, { rows: JSON.stringify(lists) })
  }
}

const KEY_COLUMNS = [
  ['feature_name', 'text'],
  ['hour', 'bigint'],
  ['environment', 'text'],
  ['app_name', 'text'],
] as const
const COUNT_COLUMNS = [...KEY_COLUMNS, ['yes', 'bigint'], ['no', 'bigint']] as const
const VARIANT_COUNT_COLUMNS = [...KEY_COLUMNS, ['variant', 'text'], ['count', 'bigint']] as const

/** Rows as JSON. */
interface Rows {
  readonly rows: string
}

const insertCounts = defineStatement((tx: Tx, at: Placeholders<Rows>) =>
  tx
    .insertInto('client_metrics')
    .columns(COUNT_COLUMNS.map(([column]) => column))
    .expression(expandRows(tx, at('rows'), COUNT_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns(KEY_COLUMNS.map(([column]) => column)).doUpdateSet((builder) => ({
        yes: buildCappedSum(builder, 'client_metrics.yes', 'excluded.yes'),
        no: buildCappedSum(builder, 'client_metrics.no', 'excluded.no'),
      })),
    ),
)

const insertVariantCounts = defineStatement((tx: Tx, at: Placeholders<Rows>) =>
  tx
    .insertInto('client_metrics_variants')
    .columns(VARIANT_COUNT_COLUMNS.map(([column]) => column))
    .expression(expandRows(tx, at('rows'), VARIANT_COUNT_COLUMNS))
    .onConflict((conflict) =>
      conflict.columns([...KEY_COLUMNS.map(([column]) => column), 'variant']).doUpdateSet((builder) => ({
        count: buildCappedSum(builder, 'client_metrics_variants.count', 'excluded.count'),
      })),
    ),
)

function toKeyColumns({ environment, appName, featureName, hour }: UsageCount) {
  return { environment, app_name: appName, feature_name: featureName, hour }
}

/** Returns an SQL expression for the stored number plus the added number, capped at the largest safe integer. */
function buildCappedSum<DB, TB extends keyof DB>(
  { eb, ref, val, case: when }: ExpressionBuilder<DB, TB>,
  stored: StringReference<DB, TB>,
  added: StringReference<DB, TB>,
) {
  const known = ref(stored) as Expression<number>
  const more = ref(added) as Expression<number>
  return when()
    .when(eb(known, '>', eb(val(MAX_SUM), '-', more)))
    .then(MAX_SUM)
    .else(eb(known, '+', more))
    .end()
}

/** Records when flags were last requested; skips unknown names. */
export async function touchFeatures(
  tx: Tx,
  seen: ReadonlyMap<string, ReadonlySet<string>>,
  now: number,
): Promise<void> {
  const all = new Set([...seen.values()].flatMap((names) => [...names]))
  for (const part of chunks([...all].toSorted(compareText))) {
    await tx.updateTable('features').set({ last_seen_at: now }).where('name', 'in', part).execute()
  }
  for (const [environment, names] of [...seen].toSorted(([a], [b]) => compareText(a, b))) {
    for (const part of chunks([...names].toSorted(compareText))) {
      await tx
        .updateTable('feature_environments')
        .set({ last_seen_at: now })
        .where('environment', '=', environment)
        .where('feature_name', 'in', part)
        .execute()
    }
  }
}

/** Records when personal tokens were last used. */
export async function touchPersonalTokens(tx: Tx, seen: ReadonlyMap<number, { readonly at: number }>): Promise<void> {
  for (const [id, { at }] of seen) {
    await tx.updateTable('personal_tokens').set({ seen_at: at }).where('id', '=', id).execute()
  }
}

/** Instance of an application in an environment. */
export type TouchedInstance = Pick<RegisteredInstance, 'appName' | 'instanceId' | 'environment'>

/** Records when instances and their applications last reported. Skips unregistered instances. */
export async function touchReporting(
  tx: Tx,
  seen: readonly (TouchedInstance & { readonly at: number })[],
): Promise<void> {
  for (const { appName, instanceId, environment, at } of seen) {
    await tx
      .updateTable('client_applications')
      .set({ last_seen_at: at })
      .where('app_name', '=', appName)
      .where('last_seen_at', '<', at)
      .execute()
    await tx
      .updateTable('client_instances')
      .set({ last_seen_at: at })
      .where('app_name', '=', appName)
      .where('instance_id', '=', instanceId)
      .where('environment', '=', environment)
      .where('last_seen_at', '<', at)
      .execute()
  }
}

/**
 * Stores an application and its instance. An application or instance that was ever reported with a secret token remains
 * marked as such. Omitted fields keep their stored value.
 */
export async function touchInstance(tx: Tx, seen: RegisteredInstance, now: number): Promise<void> {
  const strategies = JSON.stringify(seen.strategies)
  const by_public_token = Number(seen.isPublic)
  await tx
    .insertInto('client_applications')
    .values({ app_name: seen.appName, strategies, first_seen_at: now, last_seen_at: now, by_public_token })
    .onConflict((conflict) =>
      conflict.column('app_name').doUpdateSet(({ eb }) => ({
        ...(seen.strategies.length === 0 ? {} : { strategies }),
        last_seen_at: now,
        by_public_token: eb('client_applications.by_public_token', '*', by_public_token),
      })),
    )
    .execute()
  const changing = {
    ...(seen.sdkVersion === null ? {} : { sdk_version: seen.sdkVersion }),
    ...(seen.address === null ? {} : { address: seen.address }),
    last_seen_at: now,
  }
  await tx
    .insertInto('client_instances')
    .values({
      app_name: seen.appName,
      instance_id: seen.instanceId,
      environment: seen.environment,
      first_seen_at: now,
      ...changing,
      by_public_token,
    })
    .onConflict((conflict) =>
      conflict.columns(['app_name', 'instance_id', 'environment']).doUpdateSet(({ eb }) => ({
        ...changing,
        by_public_token: eb('client_instances.by_public_token', '*', by_public_token),
      })),
    )
    .execute()
  await putInstanceProjects(tx, seen)
  const projects = seen.projects.length > MAX_PROJECTS ? ['*'] : seen.projects
  if (projects.length === 0) return
  await tx
    .insertInto('client_application_reach')
    .values(projects.map((project) => ({ app_name: seen.appName, project, environment: seen.environment })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Stores the projects for which an instance registered. Users who can see at least one of these projects can see the
 * instance.
 */
async function putInstanceProjects(
  tx: Tx,
  { appName, instanceId, environment, projects }: RegisteredInstance,
): Promise<void> {
  if (projects.length === 0) return
  await tx
    .insertInto('client_instance_projects')
    .values(
      capSources(projects).map((project) => ({ app_name: appName, instance_id: instanceId, environment, project })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Returns the projects that are stored as the sources of a row, up to a maximum number. Leaving out a project can only
 * hide the row from some users, never reveal it to more users.
 */
export function capSources(projects: readonly string[]): readonly string[] {
  return [...new Set(projects)].toSorted(compareText).slice(0, MAX_PROJECTS)
}
