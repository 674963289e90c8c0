import { BoundedCache } from '@burgee/kit/bounded-cache'
import { within } from '@burgee/kit/within'
import type { TokenRow } from '../../store/access/tokens.ts'
import { tokensWhere } from '../../store/access/tokens.ts'
import type { StoredEvent } from '../../store/events/events.ts'
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

/** A token as it was when the database last told of it. */
interface LastKnown {
  readonly row: TokenRow
  readonly atMs: number
  /** Until then it stands without a question: the database has just not answered one. */
  trustedUntilMs: number
}

const LAST_KNOWN_MS = 24 * 60 * 60 * 1000
/** Who has a token that was known waits no longer than this for a database that does not answer. */
const LONGEST_ASKING_MS = 500
/** How long it is before the database is asked again. */
const TRUST_MS = 5000

/**
 * Keeps answers, also "there is none", until tokens or projects change: from the publication of that change on, which
 * comes before its reply, a deleted token is refused. Expiry is looked at on each use. Callers who ask for the same at
 * once share one question. Where the database does not answer, a token that it told of in the last day stays what it was,
 * unless this process has heard that it was deleted.
 */
export function createTokenCache({ db, broadcast, clock }: World): TokenCache {
  let answers = noAnswers()
  const lastKnown = new BoundedCache<LastKnown>(MOST_EACH)
  const forget = () => {
    answers = noAnswers()
    for (const one of lastKnown.values()) one.trustedUntilMs = 0
  }
  const forgetDeleted = (events: readonly StoredEvent[]): void => {
    const gone = new Set(events.filter(({ type }) => type === 'api-token-deleted').map(({ preData }) => idOf(preData)))
    if (gone.size > 0) lastKnown.deleteWhere(({ row }) => gone.has(row.id))
  }
  broadcast.subscribe((events) => {
    forgetDeleted(events)
    if (events.some(({ type }) => type.startsWith('api-token-') || type.startsWith('project-'))) forget()
  }, forget)
  const ask = async (hash: string, { tokens, unknown, asked }: Answers): Promise<TokenRow | undefined> => {
    try {
      const [row] = await tokensWhere(db.reader, { column: 'hash', value: hash })
      if (row === undefined) {
        unknown.set(hash, true)
        lastKnown.delete(hash)
      } else {
        tokens.set(hash, row)
        lastKnown.set(hash, { row, atMs: clock(), trustedUntilMs: 0 })
      }
      return row
    } finally {
      asked.delete(hash)
    }
  }
  const orLastKnown = async (asking: Promise<TokenRow | undefined>, hash: string): Promise<TokenRow | undefined> => {
    const before = lastKnown.peek(hash)
    if (before === undefined || before.atMs < clock() - LAST_KNOWN_MS) return asking
    return within(LONGEST_ASKING_MS, asking).catch(() => {
      // it may have been deleted while the database was asked
      const known = lastKnown.peek(hash)
      if (known !== undefined) known.trustedUntilMs = clock() + TRUST_MS
      return known?.row
    })
  }
  return {
    async find(secret) {
      const hash = hashOf(secret)
      // answered into the maps of before the query: a change during it has thrown those away
      const { tokens, unknown, asked } = answers
      if (unknown.peek(hash)) return undefined
      const known = tokens.peek(hash)
      if (known !== undefined) return unexpired(known, clock())
      const before = lastKnown.peek(hash)
      if (before !== undefined && clock() < before.trustedUntilMs) return unexpired(before.row, clock())
      const asking = asked.get(hash) ?? ask(hash, answers)
      asked.set(hash, asking)
      return unexpired(await orLastKnown(asking, hash), clock())
    },
  }
}

function noAnswers(): Answers {
  return { tokens: new BoundedCache(MOST_EACH), unknown: new BoundedCache(MOST_EACH), asked: new Map() }
}

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
}

function unexpired(row: TokenRow | undefined, now: number): TokenRow | undefined {
  return row === undefined || (row.expires_at !== null && row.expires_at <= now) ? undefined : row
}
