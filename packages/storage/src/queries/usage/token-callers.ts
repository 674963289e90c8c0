import { compareText } from '@burgee/kit/compare-text'
import { sumCounts } from '@burgee/protocol/usage/count-sum'
import type { Reader, Tx } from '../../database.ts'

/** Client that used a token, as reported by its SDK. Properties that the SDK does not report are null. */
export interface TokenCaller {
  readonly appName: string | null
  readonly instanceId: string | null
  readonly sdkVersion: string | null
}

/** Use of a token: its time, and the client that used the token. */
export interface TokenUse {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: TokenCaller | undefined
}

/**
 * Records the last use of each token, with the time and the client. All nodes write the rows in the same order, to
 * avoid deadlocks. Skips deleted tokens.
 */
export async function touchTokens(tx: Tx, seen: ReadonlyMap<string, TokenUse>): Promise<void> {
  for (const [id, { at, by }] of [...seen].toSorted(([a], [b]) => compareText(a, b))) {
    await tx.updateTable('api_tokens').set({ seen_at: at }).where('id', '=', id).execute()
    if (by !== undefined) await recordCaller(tx, id, by, at)
  }
}

/**
 * Records the client that last used a token. A client that reports nothing about itself does not replace a client that
 * did.
 */
async function recordCaller(tx: Tx, id: string, by: TokenCaller, at: number): Promise<void> {
  const isNameless = Object.values(by).every((value) => value === null)
  if (isNameless && (await findCaller(tx, id)) !== undefined) return
  const columns = { app_name: by.appName, instance_id: by.instanceId, sdk_version: by.sdkVersion, seen_at: at }
  const known = await tx.updateTable('api_token_callers').set(columns).where('token_id', '=', id).executeTakeFirst()
  if (known.numUpdatedRows > 0n) return
  await tx
    .insertInto('api_token_callers')
    .columns(['token_id', 'app_name', 'instance_id', 'sdk_version', 'seen_at'])
    .expression((eb) =>
      eb
        .selectFrom('api_tokens')
        .select((of) => [
          'id',
          of.cast<string | null>(of.val(by.appName), 'text').as('app_name'),
          of.cast<string | null>(of.val(by.instanceId), 'text').as('instance_id'),
          of.cast<string | null>(of.val(by.sdkVersion), 'text').as('sdk_version'),
          of.cast<number>(of.val(at), 'bigint').as('seen_at'),
        ])
        .where('id', '=', id),
    )
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet(columns))
    .execute()
}

/** Returns the client that last used a token, and the time of that use; undefined if none is recorded. */
export async function findCaller(reader: Reader, tokenId: string): Promise<TokenUse | undefined> {
  const row = await reader
    .selectFrom('api_token_callers')
    .selectAll()
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const by = { appName: row.app_name, instanceId: row.instance_id, sdkVersion: row.sdk_version }
  return { at: Number(row.seen_at), by }
}

/** Flag with its usage counts. */
export interface CountedName {
  readonly name: string
  readonly project: string
  readonly yes: number
  readonly no: number
}

/**
 * Selects the counts of one application in one environment since the start of an hour, for flags in projects that the
 * application may request.
 */
export interface CountSelection {
  readonly appName: string
  readonly environment: string
  readonly sinceHour: number
  /** Project ids; `*` for all projects. */
  readonly projects: readonly string[]
  readonly hidden: readonly string[]
}

/** Returns up to `limit` flags that an application has used in an environment, sorted by name. */
export async function listCountedNames(
  reader: Reader,
  { appName, environment, sinceHour, projects, hidden }: CountSelection,
  limit: number,
): Promise<CountedName[]> {
  if (projects.length === 0) return []
  let query = reader
    .selectFrom('client_metrics as m')
    .innerJoin('features as f', 'f.name', 'm.feature_name')
    .select(({ fn }) => ['f.name', 'f.project', fn.sum<number>('m.yes').as('yes'), fn.sum<number>('m.no').as('no')])
    .where('m.app_name', '=', appName)
    .where('m.environment', '=', environment)
    .where('m.hour', '>=', sinceHour)
  if (!projects.includes('*')) query = query.where('f.project', 'in', projects)
  if (hidden.length > 0) query = query.where('f.project', 'not in', hidden)
  const rows = await query.groupBy(['f.name', 'f.project']).orderBy('f.name').limit(limit).execute()
  return rows.map(({ name, project, yes, no }) => ({
    name,
    project,
    yes: sumCounts(0, Number(yes)),
    no: sumCounts(0, Number(no)),
  }))
}
