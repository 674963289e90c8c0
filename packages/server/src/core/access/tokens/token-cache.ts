import { BoundedCache } from '@burgee/kit/bounded-cache'
import { withTimeout } from '@burgee/kit/with-timeout'
import { chunks } from '@burgee/storage/chunks'
import type { Reader } from '@burgee/storage/database'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import { listSdkTokensUsedSince, listTokens } from '@burgee/storage/queries/access/tokens'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { SnapshotToken } from '@burgee/storage/queries/snapshot/snapshot-state'
import type { World } from '../../world.ts'
import { LastKnownTokens, TRUSTED_MS } from './last-known-tokens.ts'
import { hashSecret } from './tokens.ts'

/** Finds API tokens by their secret without a query per request. */
export interface TokenCache {
  /** Returns the trusted SDK tokens, each with the time of its last confirmation. */
  find(secret: string): Promise<TokenRow | undefined>
  /**
   * Returns trusted SDK tokens with the time of their last confirmation. `contactMs` is the time of the last contact
   * with the database; all cached tokens count as confirmed at that time.
   */
  listTrusted(contactMs: number): SnapshotToken[]
  /**
   * Reads the SDK tokens that were in use on any node, so that this node also accepts these tokens while the database
   * is unavailable. The first call covers the last day, later calls the time since the previous call.
   */
  loadUsed(): Promise<void>
  /** Finds a token by its public id. */
  findById(id: string): Promise<TokenRow | undefined>
  /** Returns true while a query for a secret is in flight. */
  isQuerying(secret: string): boolean
  /** Returns a cached token without a query. Returns undefined for a token that is not cached. */
  peek(secret: string): TokenRow | undefined
}

/** Lookup results, by hash of the secret. Results stay cached until tokens may have changed. */
interface CachedResults {
  readonly tokens: BoundedCache<TokenRow>
  /**
   * Hashes of secrets that the database does not know. Unknown secrets have a separate cache, so that callers who
   * invent secrets do not evict valid tokens.
   */
  readonly unknown: BoundedCache<true>
  /** Queries in flight. */
  readonly inFlight: Map<string, Promise<TokenRow | undefined>>
}

/** Prefixes of event types after which cached lookup results may be wrong. */
const CHANGING = ['api-token-', 'project-', 'instance-']
const CACHE_BOUNDS = { entries: 10_000 }
/** Maximum wait for the database if a trusted copy of the token exists. */
const MAX_QUERY_MS = 500
/**
 * Maximum time until the use of a token is visible in the database. Uses become visible only after a delay, because
 * nodes write them in batches and their clocks differ.
 */
const LATE_USES_MS = 600_000

/**
 * Creates the token cache. Lookups, including misses, are cached until tokens or projects change. A deleted token is
 * rejected even before the reply to the deletion is sent. Expiry is checked on each use. Concurrent lookups of the same
 * secret share one query. If the database does not answer, accepts every token that it confirmed within the last day,
 * except tokens that this process knows to be deleted. `kept` contains the tokens that a previous process saved; the
 * cache accepts these tokens under the same conditions.
 */
export function createTokenCache(
  { db, broadcast, clock, monotonic }: Pick<World, 'db' | 'broadcast' | 'clock' | 'monotonic'>,
  kept: readonly SnapshotToken[] = [],
): TokenCache {
  let answers = createCachedResults()
  const last = new LastKnownTokens(CACHE_BOUNDS, kept, { clock, monotonic })
  const forget = () => {
    // any change to the tokens before this time would already have been published
    last.confirm(answers.tokens.values(), clock())
    answers = createCachedResults()
    last.requireQuery()
  }
  broadcast.subscribe(
    (events) => {
      last.forgetIds(getDeletedIds(events))
      if (events.some(({ type }) => CHANGING.some((beginning) => type.startsWith(beginning)))) forget()
    },
    async () => {
      forget()
      const before = last.all()
      last.renew(before, await readRemaining(db.reader, before))
    },
  )
  let learntMs = 0
  return {
    async loadUsed() {
      const [now, removals] = [clock(), last.removals]
      const since = Math.max(now - TRUSTED_MS, learntMs - LATE_USES_MS)
      const used = await listSdkTokensUsedSince(db.reader, since, CACHE_BOUNDS.entries)
      // a token may have been removed during the read, so discard the result; the next call covers the same period
      if (last.removals !== removals) return
      for (const { hash, row } of used) last.record(hash, row, now)
      learntMs = now
    },
    listTrusted(contactMs) {
      last.confirm(answers.tokens.values(), contactMs)
      return last.trusted(clock())
    },
    findById: async (id) => dropIfExpired(await loadTokenById(db.reader, id, { answers, last, clock }), clock()),
    isQuerying: (secret) => answers.inFlight.has(hashSecret(secret)),
    peek: (secret) => dropIfExpired(answers.tokens.peek(hashSecret(secret)), clock()),
    async find(secret) {
      const hash = hashSecret(secret)
      // capture the maps before the query: a change during the query replaces the maps, so the result is discarded
      const { tokens, unknown, inFlight } = answers
      if (unknown.peek(hash)) return undefined
      const known = tokens.peek(hash) ?? last.findWithoutQuery(hash)
      if (known !== undefined) return dropIfExpired(known, clock())
      const query = inFlight.get(hash) ?? queryToken(db.reader, hash, { answers, last, clock })
      inFlight.set(hash, query)
      return dropIfExpired(await withLastKnownFallback(query, hash, last, clock), clock())
    },
  }
}

interface CacheState {
  readonly answers: CachedResults
  readonly last: LastKnownTokens
  readonly clock: () => number
}

/** Queries a token by the hash of its secret, and stores the result in the cache. */
async function queryToken(
  reader: Reader,
  hash: string,
  { answers: { tokens, unknown, inFlight }, last, clock }: CacheState,
): Promise<TokenRow | undefined> {
  try {
    const [row] = await listTokens(reader, { column: 'hash', value: hash })
    if (row === undefined) {
      unknown.set(hash, true)
      last.forget(hash)
    } else {
      tokens.set(hash, row)
      last.record(hash, row, clock())
    }
    return row
  } finally {
    inFlight.delete(hash)
  }
}

/**
 * Finds a token by its public id, in the cache or in the database. If the database does not answer, falls back to a
 * copy that the database confirmed within the last day.
 */
async function loadTokenById(reader: Reader, id: string, from: CacheState): Promise<TokenRow | undefined> {
  const known = from.answers.tokens.values().find((row) => row.id === id)
  if (known !== undefined) return known
  const query = listTokens(reader, { column: 'id', value: id }).then(([row]) => row)
  const kept = from.last.trusted(from.clock()).find(({ row }) => row.id === id)?.row
  return kept === undefined ? query : withTimeout(MAX_QUERY_MS, query).catch(() => kept)
}

async function withLastKnownFallback(
  query: Promise<TokenRow | undefined>,
  hash: string,
  last: LastKnownTokens,
  clock: () => number,
): Promise<TokenRow | undefined> {
  if (!last.isTrusted(hash, clock())) return query
  // the result is undefined if the token was deleted during the query
  return withTimeout(MAX_QUERY_MS, query).catch(() => last.acceptTemporarily(hash))
}

/**
 * Returns the tokens that still exist in the database, with their current rows and their previous confirmation times.
 * Necessary after a start or a restore, because earlier changes were not published to this process.
 */
export async function readRemaining(reader: Reader, tokens: readonly SnapshotToken[]): Promise<SnapshotToken[]> {
  const atMs = new Map(tokens.map((token) => [token.row.hash, token.atMs]))
  const found: SnapshotToken[] = []
  for (const part of chunks([...atMs.keys()])) {
    const rows = await listTokens(reader, { column: 'hash', value: part })
    found.push(...rows.map((row) => ({ row, atMs: atMs.get(row.hash) ?? 0 })))
  }
  return found
}

function getDeletedIds(events: readonly StoredEvent[]): Set<unknown> {
  return new Set(events.filter(({ type }) => type === 'api-token-deleted').map(({ preData }) => getId(preData)))
}

function createCachedResults(): CachedResults {
  return { tokens: new BoundedCache(CACHE_BOUNDS), unknown: new BoundedCache(CACHE_BOUNDS), inFlight: new Map() }
}

function getId(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined
}

function dropIfExpired(row: TokenRow | undefined, now: number): TokenRow | undefined {
  return row === undefined || (row.expires_at !== null && row.expires_at <= now) ? undefined : row
}
