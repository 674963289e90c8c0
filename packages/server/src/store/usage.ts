import type { Tx } from './database.ts'

/** How often a flag was asked for within one hour. */
export interface UsageCount {
  readonly environment: string
  readonly appName: string
  readonly featureName: string
  /** Start of the hour, milliseconds since 1970. */
  readonly hour: number
  readonly yes: number
  readonly no: number
  readonly variants: ReadonlyMap<string, number>
}

/** An SDK instance that has said hello. */
export interface InstanceSeen {
  readonly appName: string
  readonly instanceId: string
  readonly environment: string
  readonly sdkVersion: string | null
  readonly address: string | null
  readonly strategies: readonly string[]
}

/** Sums stop here: the largest number that every JSON reader can hold. */
const MOST = Number.MAX_SAFE_INTEGER

/** Adds counts to what was counted before; never beyond 2^53 − 1. */
export async function addUsage(tx: Tx, counts: readonly UsageCount[]): Promise<void> {
  for (const { environment, appName, featureName, hour, yes, no, variants } of counts) {
    const key = { environment, app_name: appName, feature_name: featureName, hour }
    await tx
      .insertInto('client_metrics')
      .values({ ...key, yes, no })
      .onConflict((conflict) =>
        conflict.columns(['feature_name', 'hour', 'environment', 'app_name']).doUpdateSet(({ eb, ref, case: when }) => {
          const sum = (column: 'yes' | 'no', more: number) =>
            when()
              .when(ref(`client_metrics.${column}`), '>', MOST - more)
              .then(MOST)
              .else(eb(ref(`client_metrics.${column}`), '+', more))
              .end()
          return { yes: sum('yes', yes), no: sum('no', no) }
        }),
      )
      .execute()
    for (const [variant, count] of variants) await addVariant(tx, { ...key, variant, count })
  }
}

async function addVariant(
  tx: Tx,
  row: { environment: string; app_name: string; feature_name: string; hour: number; variant: string; count: number },
): Promise<void> {
  await tx
    .insertInto('client_metrics_variants')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['feature_name', 'hour', 'environment', 'app_name', 'variant'])
        .doUpdateSet(({ eb, ref, case: when }) => ({
          count: when()
            .when(ref('client_metrics_variants.count'), '>', MOST - row.count)
            .then(MOST)
            .else(eb(ref('client_metrics_variants.count'), '+', row.count))
            .end(),
        })),
    )
    .execute()
}

/** Notes when flags were last asked for; names of no flag are passed over. */
export async function touchFeatures(
  tx: Tx,
  seen: ReadonlyMap<string, ReadonlySet<string>>,
  now: number,
): Promise<void> {
  for (const [environment, names] of seen) {
    for (const name of names) {
      await tx.updateTable('features').set({ last_seen_at: now }).where('name', '=', name).execute()
      await tx
        .updateTable('feature_environments')
        .set({ last_seen_at: now })
        .where('feature_name', '=', name)
        .where('environment', '=', environment)
        .execute()
    }
  }
}

/** Notes when tokens were last used. */
export async function touchTokens(tx: Tx, seen: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, at] of seen) await tx.updateTable('api_tokens').set({ seen_at: at }).where('id', '=', id).execute()
}

/** Notes an application and its instance. */
export async function touchInstance(tx: Tx, seen: InstanceSeen, now: number): Promise<void> {
  const strategies = JSON.stringify(seen.strategies)
  await tx
    .insertInto('client_applications')
    .values({ app_name: seen.appName, strategies, first_seen_at: now, last_seen_at: now })
    .onConflict((conflict) => conflict.column('app_name').doUpdateSet({ strategies, last_seen_at: now }))
    .execute()
  const changing = { sdk_version: seen.sdkVersion, address: seen.address, last_seen_at: now }
  await tx
    .insertInto('client_instances')
    .values({
      app_name: seen.appName,
      instance_id: seen.instanceId,
      environment: seen.environment,
      ...changing,
    })
    .onConflict((conflict) => conflict.columns(['app_name', 'instance_id', 'environment']).doUpdateSet(changing))
    .execute()
}

/** Counts logins with a wrong password. */
export async function addFailedLogins(tx: Tx, failures: ReadonlyMap<number, number>): Promise<void> {
  for (const [userId, count] of failures) {
    await tx
      .updateTable('users')
      .set(({ eb }) => ({ login_attempts: eb('login_attempts', '+', count) }))
      .where('id', '=', userId)
      .execute()
  }
}
