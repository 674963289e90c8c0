import { setTimeout as delay } from 'node:timers/promises'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import { startTimer } from '@burgee/kit/timer'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import { type TokenChangeFeed, TokenChangeStreams } from '@burgee/serving/sdk/token-change-streams'
import type { Reader } from '@burgee/storage/database'
import { formatDbError } from '@burgee/storage/errors'
import { listWatchedTokens, type WatchedToken } from '@burgee/storage/queries/access/watched-tokens'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { listRunTokens } from '@burgee/storage/queries/test-runs/test-runs'
import { readRunTokenId, toWatchedTokens } from '../../../delivery/test-runs/test-run.ts'
import type { World } from '../../world.ts'

/** Kinds of tokens, each of which is read with one query. */
const KINDS = ['api-tokens', 'test-runs'] as const
type Kind = (typeof KINDS)[number]

/** Prefixes of event types after which tokens of a kind are possibly deleted or have another scope. */
const CHANGING: Readonly<Record<Kind, readonly string[]>> = {
  'api-tokens': ['api-token-', 'project-', 'environment-', 'instance-'],
  'test-runs': ['test-run-created', 'test-run-deleted', 'project-', 'environment-', 'instance-'],
}
const READS: Readonly<Record<Kind, (reader: Reader) => Promise<readonly WatchedToken[]>>> = {
  'api-tokens': listWatchedTokens,
  'test-runs': async (reader) => (await listRunTokens(reader)).flatMap(toWatchedTokens),
}
const RETRY_MS = 1000
const NEVER = Number.POSITIVE_INFINITY

/**
 * Notifies edges of tokens that are no longer valid. While at least one stream follows token changes, holds all SDK
 * tokens in memory, and compares them with the database after each event that can change tokens. A deleted token, or a
 * token of a deleted project, is reported in the same tick as the event, before the streams of that token end.
 */
export class TokenWatch implements TokenChangeFeed {
  readonly #streams: TokenChangeStreams
  readonly #world: Pick<World, 'db' | 'broadcast' | 'clock' | 'monotonic' | 'logger'>
  readonly #unsubscribe: () => void
  /** Tokens by kind and hash; empty while no stream follows token changes. */
  readonly #tokens = new Map<Kind, ReadonlyMap<string, WatchedToken>>()
  /** Kinds that have to be read. */
  readonly #stale = new Set<Kind>(KINDS)
  #reading: Promise<void> | undefined
  #isClosed = false
  #expiry: NodeJS.Timeout | undefined

  constructor(world: Pick<World, 'db' | 'broadcast' | 'clock' | 'monotonic' | 'logger'>) {
    this.#world = world
    this.#streams = new TokenChangeStreams({ monotonic: world.monotonic, ready: () => this.#read() })
    this.#unsubscribe = world.broadcast.subscribe(
      (events) => this.#onEvents(events),
      () => this.#restored(),
    )
  }

  join(stream: EventStream, scope: FlagScope): () => void {
    return this.#streams.join(stream, scope)
  }

  catchUp(stream: EventStream): void {
    this.#streams.catchUp(stream)
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    clearTimeout(this.#expiry)
  }

  #onEvents(events: readonly StoredEvent[]): void {
    if (!this.#streams.isFollowed) {
      this.#forget()
      return
    }
    for (const event of events) this.#notifyNow(event)
    const isChanged = (kind: Kind) => events.some(({ type }) => CHANGING[kind].some((start) => type.startsWith(start)))
    const changed = KINDS.filter(isChanged)
    if (changed.length > 0) this.#refresh(changed)
  }

  /** Starts the read without awaiting it, because the request that restores the database must not wait for edges. */
  #restored(): void {
    if (!this.#streams.isFollowed) {
      this.#forget()
      return
    }
    this.#refresh(KINDS)
    this.#streams.catchUpAll()
  }

  #forget(): void {
    this.#tokens.clear()
    for (const kind of KINDS) this.#stale.add(kind)
    clearTimeout(this.#expiry)
  }

  #notifyNow({ type, preData, project }: StoredEvent): void {
    if (this.#tokens.size === 0) return
    if (type === 'api-token-deleted' || type === 'test-run-deleted') {
      const id = getId(preData)
      const revoked = this.#listTokens().filter((token) => (readRunTokenId(token.id)?.id ?? token.id) === id)
      // the token was created after the last read, so its hash is unknown
      if (revoked.length === 0) this.#streams.catchUpAll()
      this.#streams.notify({ revoked })
    } else if (type === 'project-deleted') {
      const changed = this.#listTokens().filter(({ projects }) => projects.some((own) => own === project))
      this.#streams.notify({ changed })
    }
  }

  #refresh(kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#stale.add(kind)
    void this.#read()
  }

  /** Reads the tokens, with retries while the database is unavailable. Never rejects. */
  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readAll(): Promise<void> {
    const { logger } = this.#world
    const outage = new OutageLog({
      begins: (error) => logger.warn(`Cannot read the tokens for edges; retrying: ${formatDbError(error)}`),
    })
    for (;;) {
      const [kind] = this.#stale
      if (kind === undefined || !this.#streams.isFollowed || this.#isClosed) return
      this.#stale.delete(kind)
      try {
        this.#compare(kind, await READS[kind](this.#world.db.reader))
      } catch (error) {
        this.#stale.add(kind)
        outage.fail(error)
        await delay(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  #listTokens(): WatchedToken[] {
    return [...this.#tokens.values()].flatMap((tokens) => [...tokens.values()])
  }

  #compare(kind: Kind, read: readonly WatchedToken[]): void {
    const now = this.#world.clock()
    const next = new Map(read.filter((token) => !isExpired(token, now)).map((token) => [token.hash, token]))
    const before = [...(this.#tokens.get(kind)?.values() ?? [])]
    this.#tokens.set(kind, next)
    this.#streams.notify({
      revoked: before.filter(({ hash }) => !next.has(hash)),
      changed: before.filter((token) => !isSameScope(token, next.get(token.hash) ?? token)),
    })
    this.#awaitExpiry()
  }

  #awaitExpiry(): void {
    clearTimeout(this.#expiry)
    const first = this.#listTokens().reduce((least, { expiresAt }) => Math.min(least, expiresAt ?? least), NEVER)
    if (first === NEVER) return
    const expire = () => {
      for (const [kind, tokens] of [...this.#tokens]) this.#compare(kind, [...tokens.values()])
    }
    this.#expiry = startTimer(first - this.#world.clock(), expire).unref()
  }
}

function isExpired({ expiresAt }: WatchedToken, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

function isSameScope(one: WatchedToken, other: WatchedToken): boolean {
  return one.environment === other.environment && one.projects.join() === other.projects.join()
}

function getId(state: unknown): unknown {
  return typeof state === 'object' && state !== null && 'id' in state ? state.id : undefined
}
