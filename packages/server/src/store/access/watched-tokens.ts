import type { Reader } from '../database.ts'
import { secretsOf, tokensWhere } from './tokens.ts'

/** One text of an SDK token: its own, or an alias that it had elsewhere. */
export interface WatchedToken {
  readonly id: string
  /** SHA-256 of the text, as hex digits. */
  readonly hash: string
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** In milliseconds since 1970; null for one that does not expire. */
  readonly expiresAt: number | null
}

/** Reads the SDK tokens by every text that opens them. */
export async function watchedTokens(reader: Reader): Promise<WatchedToken[]> {
  const rows = await tokensWhere(reader)
  const aliases = await reader.selectFrom('api_token_aliases').select(['hash', 'token_id']).execute()
  const ofSdks = rows.filter(({ type }) => type !== 'admin')
  return secretsOf(ofSdks, aliases).map(({ hash, row: { id, environment, projects, expires_at: expiresAt } }) => {
    return { id, hash, environment, projects, expiresAt }
  })
}
