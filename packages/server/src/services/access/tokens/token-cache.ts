import { BoundedCache } from '@burgee/kit/bounded-cache'
import { within } from '@burgee/kit/within'
import type { TokenRow } from '../../../store/access/tokens.ts'
import { sdkTokensUsedSince, tokensWhere } from '../../../store/access/tokens.ts'
import { chunks } from '../../../store/chunks.ts'
import type { Reader } from '../../../store/database.ts'
import type { StoredEvent } from '../../../store/events/events.ts'
import type { KeptToken } from '../../../store/kept/kept-state.ts'
import type { World } from '../../world.ts'
import { LastKnownTokens, TRUSTED_MS } from './last-known-tokens.ts'
import { hashOf } from './tokens.ts'

/** Finds API tokens by their secret without a query per request. */
export interface TokenCache {
  /** Returns the token, or undefined if it is unknown or expired. */
  find(secret: string): Promise<TokenRow | undefined>
  /**
   * Returns trusted SDK tokens with the time of their last confirmation. Tokens used since the last token change count
   * as confirmed at `contactMs`, the last contact with the database.
   */
  known(contactMs: number): KeptToken[]
  /**
   * Reads which SDK tokens any node has seen in use: the first call covers the last day, later calls the time since the
   * previous call. This node then accepts them as well while the database is unavailable.
   */
  learnUsed(): Promise<void>
  /** Finds a token by its public id. */
  findById(id: string): Promise<TokenRow | undefined>
  /** Returns true while a query for a secret is in flight. */
  isAsked(secret: string): boolean
  /** Returns a cached token without a query. Returns undefined for a token that is not cached. */
  peek(secret: string): TokenRow | undefined
}

/** Lookup results that stay cached until tokens may have changed, by hash of the secret. */
interface Answers {
  readonly tokens: BoundedCache<TokenRow>
  /** Hashes of unknown secrets. Separate, because callers can make them up and must not evict tokens. */
  readonly unknown: BoundedCache<true>
  /** Queries in flight. */
  readonly asked: Map<string, Promise<TokenRow | undefined>>
}

/** Prefixes of event types after which cached lookup results may be wrong. */
const CHANGING = ['api-token-', 'project-', 'instance-']
const MOST_EACH = { entries: 10_000 }
/** Maximum wait for the database if a trusted copy of the token exists. */
const LONGEST_ASKING_MS = 500
/**
 * Maximum delay until the use of a token is visible in the database: nodes store uses in batches, and their clocks
 * differ.
 */
const LATE_USES_MS = 600_000

/**
 * Creates the token cache. Lookups, including misses, are cached until tokens or projects change. A deleted token is
 * rejected once its deletion is published, which precedes the reply to the deletion. Expiry is checked on each use.
 * Concurrent lookups of the same secret share one query. If the database does not answer, a token that it confirmed
 * within the last day stays valid, unless this process was notified of its deletion. The same applies to the `kept`
 * tokens, which a previous process saved.
 */
export function createTokenCache(
  { db, broadcast, clock, monotonic }: Pick<World, 'db' | 'broadcast' | 'clock' | 'monotonic'>,
  kept: readonly KeptToken[] = [],
): TokenCache {
  let answers = noAnswers()
  const last = new LastKnownTokens(MOST_EACH, kept, { clock, monotonic })
  const forget = () => {
    // until now, a change of these tokens would have been published
    last.confirm(answers.tokens.values(), clock())
    answers = noAnswers()
    last.question()
  }
  broadcast.subscribe(
    (events) => {
      last.forgetIds(deletedIn(events))
      if (events.some(({ type }) => CHANGING.some((beginning) => type.startsWith(beginning)))) forget()
    },
    async () => {
      forget()
      const before = last.all()
      last.renew(before, await stillThere(db.reader, before))
    },
  )
  const ask = async (hash: string, { tokens, unknown, asked }: Answers): Promise<TokenRow | undefined> => {
    try {
      const [row] = await tokensWhere(db.reader, { column: 'hash', value: hash })
      if (row === undefined) {
        unknown.set(hash, true)
        last.forget(hash)
      } else {
        tokens.set(hash, row)
        last.note(hash, row, clock())
      }
      return row
    } finally {
      asked.delete(hash)
    }
  }
  let learntMs = 0
  return {
    async learnUsed() {
      const [now, removals] = [clock(), last.removals]
      const since = Math.max(now - TRUSTED_MS, learntMs - LATE_USES_MS)
      const used = await sdkTokensUsedSince(db.reader, since, MOST_EACH.entries)
      // one of the tokens may have been removed during the read; the next call reads all of them again
      if (last.removals !== removals) return
      for (const { hash, row } of used) last.note(hash, row, now)
      learntMs = now
    },
    known(contactMs) {
      last.confirm(answers.tokens.values(), contactMs)
      return last.trusted(clock())
    },
    findById: async (id) => unexpired(await tokenOfId(db.reader, id, { answers, last, clock }), clock()),
    isAsked: (secret) => answers.asked.has(hashOf(secret)),
    peek: (secret) => unexpired(answers.tokens.peek(hashOf(secret)), clock()),
    async find(secret) {
      const hash = hashOf(secret)
      // capture the maps before the query: a change during the query replaces the maps, and so discards the result
      const { tokens, unknown, asked } = answers
      if (unknown.peek(hash)) return undefined
      const known = tokens.peek(hash) ?? last.withoutQuestion(hash)
      if (known !== undefined) return unexpired(known, clock())
      const asking = asked.get(hash) ?? ask(hash, answers)
      asked.set(hash, asking)
      return unexpired(await orLastKnown(asking, hash, last, clock), clock())
    },
  }
}

/**
 * Finds a token by its public id, in the cache or the database. If the database does not answer, falls back to a copy
 * that the database confirmed within the last day.
 */
async function tokenOfId(
  reader: Reader,
  id: string,
  from: { readonly answers: Answers; readonly last: LastKnownTokens; readonly clock: () => number },
): Promise<TokenRow | undefined> {
  const known = from.answers.tokens.values().find((row) => row.id === id)
  if (known !== undefined) return known
  const asking = tokensWhere(reader, { column: 'id', value: id }).then(([row]) => row)
  const kept = from.last.trusted(from.clock()).find(({ row }) => row.id === id)?.row
  return kept === undefined ? asking : within(LONGEST_ASKING_MS, asking).catch(() => kept)
}

async function orLastKnown(
  asking: Promise<TokenRow | undefined>,
  hash: string,
  last: LastKnownTokens,
  clock: () => number,
): Promise<TokenRow | undefined> {
  if (!last.isTrusted(hash, clock())) return asking
  // undefined if the token was deleted during the query
  return within(LONGEST_ASKING_MS, asking).catch(() => last.standing(hash))
}

/**
 * Returns the tokens that the database still has, with their current rows and their previous confirmation times.
 * Necessary after a start or a restore, because earlier changes were not published to this process.
 */
export async function stillThere(reader: Reader, tokens: readonly KeptToken[]): Promise<KeptToken[]> {
  const atMs = new Map(tokens.map((token) => [token.row.hash, token.atMs]))
  const found: KeptToken[] = []
  for (const part of chunks([...atMs.keys()])) {
    const rows = await tokensWhere(reader, { column: 'hash', value: part })
    found.push(...rows.map((row) => ({ row, atMs: atMs.get(row.hash) ?? 0 })))
  }
  return found
}

function deletedIn(events: readonly StoredEvent[]): Set<unknown> {
  return new Set(events.filter(({ type }) => type === 'api-token-deleted').map(({ preData }) => idOf(preData)))
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
