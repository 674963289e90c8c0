import type { Reader } from '../../database.ts'
import { listTokens, toTokenSecrets } from './tokens.ts'

/** Secret of an SDK token: either its main secret, or an alias that was imported from another server. */
export interface WatchedToken {
  readonly id: string
  /** SHA-256 of the secret, as hex digits. */
  readonly hash: string
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** Expiry in milliseconds since 1970; null for a token that does not expire. */
  readonly expiresAt: number | null
}

/** Reads all SDK tokens. Returns one item for each secret of a token. */
export async function listWatchedTokens(reader: Reader): Promise<WatchedToken[]> {
  const rows = await listTokens(reader)
  const aliases = await reader.selectFrom('api_token_aliases').select(['hash', 'token_id']).execute()
  const ofSdks = rows.filter(({ type }) => type !== 'admin')
  return toTokenSecrets(ofSdks, aliases).map(({ hash, row: { id, environment, projects, expires_at: expiresAt } }) => {
    return { id, hash, environment, projects, expiresAt }
  })
}
