import type { TokenRow } from '../store/tokens.ts'
import { tokensWhere } from '../store/tokens.ts'
import { hashOf } from './tokens.ts'
import type { World } from './world.ts'

/** Finds API tokens by their secret without asking the database each time. */
export interface TokenCache {
  /** The token, unless it is unknown or expired. */
  find(secret: string): Promise<TokenRow | undefined>
}

const MOST_ENTRIES = 10_000

/**
 * Keeps answers, also "there is none", until tokens or projects change: from the publication of that change on, which
 * comes before its reply, a deleted token is refused. Expiry is looked at on each use.
 */
export function createTokenCache({ db, broadcast, clock }: World): TokenCache {
  let known = new Map<string, TokenRow | undefined>()
  broadcast.subscribe((events) => {
    if (events.some(({ type }) => type.startsWith('api-token-') || type.startsWith('project-'))) known = new Map()
  })
  return {
    async find(secret) {
      const hash = hashOf(secret)
      const filled = known
      if (!filled.has(hash)) {
        const [row] = await tokensWhere(db.reader, { column: 'hash', value: hash })
        if (filled.size >= MOST_ENTRIES) filled.clear()
        // into the map of before the query: a change during it has thrown that one away
        filled.set(hash, row)
        return unexpired(row, clock())
      }
      return unexpired(filled.get(hash), clock())
    },
  }
}

function unexpired(row: TokenRow | undefined, now: number): TokenRow | undefined {
  return row === undefined || (row.expires_at !== null && row.expires_at <= now) ? undefined : row
}
