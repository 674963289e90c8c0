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

/** Finds API tokens by their secret without asking the database each time. */
export interface TokenCache {
  /** The token, unless it is unknown or expired. */
  find(secret: string): Promise<TokenRow | undefined>
  /**
   * Tokens of SDKs that are known to be good, and when that was known; those that were used since the last change of any
   * token at `contactMs`, when the database was last heard of.
   */
  known(contactMs: number): KeptToken[]
  /**
   * Reads which tokens of SDKs any node has seen in use in the last day; after the first time, since the time before. They are
   * then known here as well while the database is away.
   */
  learnUsed(): Promise<void>
  /** The same by the public id. */
  findById(id: string): Promise<TokenRow | undefined>
  /** Returns true while the database is being asked about a secret. */
  isAsked(secret: string): boolean
  /** The same without a question to the database; undefined as well where there would have to be one. */
  peek(secret: string): TokenRow | undefined
}

/** Answers between two changes, by the hash of the secret. */
interface Answers {
  readonly tokens: BoundedCache<TokenRow>
  /** Hashes of no token. Anybody can make these up, so they do not drive out tokens. */
  readonly unknown: BoundedCache<true>
  /** Questions on their way. */
  readonly asked: Map<string, Promise<TokenRow | undefined>>
}

/** Beginnings of types of events after which a token may be another one, or one that was none. */
const CHANGING = ['api-token-', 'project-', 'instance-']
const MOST_EACH = { entries: 10_000 }
/** Who has a token that was known waits no longer than this for a database that does not answer. */
const LONGEST_ASKING_MS = 500
/** Uses are written some time after them, by nodes whose clocks differ. */
const LATE_USES_MS = 600_000

/**
 * Keeps answers, also "there is none", until tokens or projects change: from the publication of that change on, which
 * comes before its reply, a deleted token is refused. Expiry is looked at on each use. Callers who ask for the same at
 * once share one question. Where the database does not answer, a token that it told of in the last day stays what it was,
 * unless this process has heard that it was deleted; those that were `kept` by the process before are such tokens.
 */
export function createTokenCache(
  { db, broadcast, clock, monotonic }: Pick<World, 'db' | 'broadcast' | 'clock' | 'monotonic'>,
  kept: readonly KeptToken[] = [],
): TokenCache {
  let answers = noAnswers()
  const last = new LastKnownTokens(MOST_EACH, kept, { clock, monotonic })
  const forget = () => {
    // until now a change of them would have been heard of
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
      // one of them may have been removed while they were read: the next time reads them again
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
      // answered into the maps of before the query: a change during it has thrown those away
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

/** Asked for where no answer has it; where the database does not answer, one that it told of in the last day. */
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
  // it may have been deleted while the database was asked
  return within(LONGEST_ASKING_MS, asking).catch(() => last.standing(hash))
}

/**
 * Those that the database still has, as they are now, known since the same time: of what was changed or deleted before it was
 * set back, before it came, or while nothing ran here, nobody has heard.
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
