import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { TokenRow } from '../../store/access/tokens.ts'
import { tokensWhere } from '../../store/access/tokens.ts'
import type { World } from '../world.ts'
import { hashOf } from './tokens.ts'

/** Finds API tokens by their secret without asking the database each time. */
export interface TokenCache {
  /** The token, unless it is unknown or expired. */
  find(secret: string): Promise<TokenRow | undefined>
}

/** Answers between two changes, by the hash of the secret. */
interface Answers {
  readonly tokens: BoundedCache<TokenRow>
  /** Hashes of no token. Anybody can make these up, so they do not drive out tokens. */
  readonly unknown: BoundedCache<true>
  /** Questions on their way. */
  readonly asked: Map<string, Promise<TokenRow | undefined>>
}

const MOST_EACH = { entries: 10_000 }

/**
 * Keeps answers, also "there is none", until tokens or projects change: from the publication of that change on, which
 * comes before its reply, a deleted token is refused. Expiry is looked at on each use. Callers who ask for the same at
 * once share one question.
 */
export function createTokenCache({ db, broadcast, clock }: World): TokenCache {
  const none = (): Answers => ({
    tokens: new BoundedCache(MOST_EACH),
    unknown: new BoundedCache(MOST_EACH),
    asked: new Map(),
  })
  let answers = none()
  const forget = () => {
    answers = none()
  }
  broadcast.subscribe((events) => {
    if (events.some(({ type }) => type.startsWith('api-token-') || type.startsWith('project-'))) forget()
  }, forget)
  const ask = async (hash: string, { tokens, unknown, asked }: Answers): Promise<TokenRow | undefined> => {
    try {
      const [row] = await tokensWhere(db.reader, { column: 'hash', value: hash })
      if (row === undefined) unknown.set(hash, true)
      else tokens.set(hash, row)
      return row
    } finally {
      asked.delete(hash)
    }
  }
  return {
    async find(secret) {
      const hash = hashOf(secret)
      // answered into the maps of before the query: a change during it has thrown those away
      const { tokens, unknown, asked } = answers
      if (unknown.peek(hash)) return undefined
      const known = tokens.peek(hash)
      if (known !== undefined) return unexpired(known, clock())
      const asking = asked.get(hash) ?? ask(hash, answers)
      asked.set(hash, asking)
      return unexpired(await asking, clock())
    },
  }
}

function unexpired(row: TokenRow | undefined, now: number): TokenRow | undefined {
  return row === undefined || (row.expires_at !== null && row.expires_at <= now) ? undefined : row
}
