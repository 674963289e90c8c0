import type { ExpressionBuilder } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Type of an API token. */
export type TokenType = 'admin' | 'client' | 'frontend'

/** API token without its secret. */
export interface TokenRow {
  readonly id: string
  readonly hash: string
  readonly masked: string
  readonly name: string
  readonly type: TokenType
  readonly environment: string
  /** Ids of the projects of the token, or `['*']` for all projects. Empty if all projects of the token were deleted. */
  readonly projects: readonly string[]
  readonly expires_at: number | null
  readonly created_at: number
  readonly seen_at: number | null
}

/**
 * Maximum number of tokens for which projects are selected by token id. For more tokens, the projects of all tokens are
 * read, because the number of parameters is limited.
 */
const MAX_TOKEN_IDS = 500

/**
 * Returns all tokens, or the tokens with one of the given values in a column, oldest first. A search by hash also finds
 * aliases; the returned row then contains the hash of the token's main secret, not the hash of the alias.
 */
export async function listTokens(
  reader: Reader,
  match?: {
    readonly column: 'id' | 'hash' | 'name' | 'masked' | 'environment'
    readonly value: string | readonly string[]
  },
): Promise<TokenRow[]> {
  let query = reader.selectFrom('api_tokens').selectAll()
  if (match !== undefined) query = query.where((eb) => matchesColumn(eb, match.column, [match.value].flat()))
  const rows = await query.orderBy('created_at').orderBy('id').execute()
  let links = reader.selectFrom('api_token_projects').selectAll()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0 && ids.length <= MAX_TOKEN_IDS) links = links.where('token_id', 'in', ids)
  const projects = Map.groupBy(await links.orderBy('project').execute(), (link) => link.token_id)
  return rows.map(({ all_projects, type, ...row }) => ({
    ...row,
    type: type as TokenType,
    projects: all_projects === 1 ? ['*'] : (projects.get(row.id) ?? []).map((link) => link.project),
  }))
}

function matchesColumn(
  eb: ExpressionBuilder<Schema, 'api_tokens'>,
  column: 'id' | 'hash' | 'name' | 'masked' | 'environment',
  values: readonly string[],
) {
  const own = eb(column, 'in', values)
  if (column !== 'hash') return own
  const aliases = eb.selectFrom('api_token_aliases').select('token_id').where('api_token_aliases.hash', 'in', values)
  return eb.or([own, eb('id', 'in', aliases)])
}

/** Token, together with the hash of one of its secrets. Aliases are additional secrets, each with its own hash. */
export interface TokenSecret {
  readonly hash: string
  readonly row: TokenRow
}

/** Returns one item for each secret of each token: first for its main secret, then for its aliases. */
export function toTokenSecrets(
  rows: readonly TokenRow[],
  aliases: readonly { readonly hash: string; readonly token_id: string }[],
): TokenSecret[] {
  const byToken = Map.groupBy(aliases, ({ token_id }) => token_id)
  return rows.flatMap((row) => [row, ...(byToken.get(row.id) ?? [])].map(({ hash }) => ({ hash, row })))
}

/**
 * Returns the SDK tokens that were used on any node since the given time, with one item per secret. Returns at most
 * `max` tokens, most recently used first.
 */
export async function listSdkTokensUsedSince(reader: Reader, since: number, max: number): Promise<TokenSecret[]> {
  const used = await reader
    .selectFrom('api_tokens')
    .select('id')
    .where('seen_at', '>=', since)
    .where('type', '!=', 'admin')
    .orderBy('seen_at', 'desc')
    .limit(max)
    .execute()
  const found: TokenSecret[] = []
  for (const ids of chunks(used.map(({ id }) => id))) {
    const rows = await listTokens(reader, { column: 'id', value: ids })
    const aliases = await reader.selectFrom('api_token_aliases').selectAll().where('token_id', 'in', ids).execute()
    found.push(...toTokenSecrets(rows, aliases))
  }
  return found
}

/**
 * Returns the environments of tokens that were used on any node since the given time and have not expired at `now`; `*`
 * stands for a token of all environments.
 */
export async function listEnvironmentsUsedSince(reader: Reader, since: number, now: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('api_tokens')
    .select('environment')
    .distinct()
    .where('seen_at', '>=', since)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .execute()
  return rows.map(({ environment }) => environment)
}

/** Returns the given hashes that belong to a token. */
export async function listTokenHashes(reader: Reader, hashes: readonly string[]): Promise<string[]> {
  const rows = await reader.selectFrom('api_tokens').select('hash').where('hash', 'in', hashes).execute()
  return rows.map((row) => row.hash)
}

/** Inserts a token. */
export async function insertToken(tx: Tx, { projects, ...row }: TokenRow): Promise<void> {
  const isForAll = projects.includes('*')
  await tx
    .insertInto('api_tokens')
    .values({ ...row, all_projects: Number(isForAll) })
    // `returning` makes the caller wait for the result: at startup, the server reports which configured tokens already
    // exist
    .returning('id')
    .execute()
  if (isForAll || projects.length === 0) return
  await tx
    .insertInto('api_token_projects')
    .values(projects.map((project) => ({ token_id: row.id, project })))
    .execute()
}

/** Deletes a token with its projects. */
export async function deleteToken(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('api_tokens').where('id', '=', id).execute()
}

/** Sets the expiry of a token; null if it does not expire. */
export async function updateTokenExpiry(tx: Tx, id: string, expires_at: number | null): Promise<void> {
  await tx.updateTable('api_tokens').set({ expires_at }).where('id', '=', id).execute()
}
