import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { createEventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import { TOKEN_CHANGES_EVENT, type TokenChanges } from '@burgee/protocol/token-changes'
import type { FlagScope } from './flag-query.ts'

/** Scope of a token, which is identified by the SHA-256 of its text. */
export interface HashedToken extends FlagScope {
  /** SHA-256 of the token in hex digits. */
  readonly hash: string
}

/** Tokens that were revoked, and tokens whose scope changed. */
export interface ChangedTokens {
  readonly revoked?: readonly HashedToken[]
  readonly changed?: readonly HashedToken[]
}

/** Sender of token changes to flag streams. */
export interface TokenChangeFeed {
  /** Starts to send all later changes to a stream. Returns a function that removes the stream. */
  join(stream: EventStream, scope: FlagScope): () => void
  /** Notifies a stream that it may have missed changes. */
  catchUp(stream: EventStream): void
  close(): void
}

/** Dependencies of `TokenChangeStreams`. */
export interface TokenChangeStreamsDeps {
  readonly monotonic: MonotonicClock
  /**
   * Resolves once it is certain that every later change will be received. Called when a stream has started. Never
   * rejects.
   */
  readonly ready: () => Promise<void>
}

/**
 * Time during which new streams are also notified of a revoked token. Other nodes learn of a revocation within a
 * second. If an edge then validates the token with a node that has not yet learned of the revocation, the edge accepts
 * the token again; repeating the notification prevents this.
 */
const REPEAT_MS = 10_000
const MAX_REPEATED = 10_000
const ALL = '*'

/**
 * Streams that notify edges of token changes. A stream receives only the hashes of tokens, and only for tokens in the
 * same environment as the stream's own token that share a project with it.
 */
export class TokenChangeStreams {
  readonly #deps: TokenChangeStreamsDeps
  readonly #streams = new Map<EventStream, FlagScope>()
  #recent: { readonly token: HashedToken; readonly untilMs: number }[] = []

  constructor(deps: TokenChangeStreamsDeps) {
    this.#deps = deps
  }

  /** True if at least one stream requests token changes. */
  get isFollowed(): boolean {
    return this.#streams.size > 0
  }

  /** Starts to send all later changes to a stream. Returns a function that removes the stream. */
  join(stream: EventStream, scope: FlagScope): () => void {
    this.#streams.set(stream, scope)
    void this.#deps.ready().then(() => this.catchUp(stream))
    return () => void this.#streams.delete(stream)
  }

  /** Notifies a stream that it may have missed changes, and sends it the recently revoked tokens again. */
  catchUp(stream: EventStream): void {
    const scope = this.#streams.get(stream)
    if (scope === undefined) return
    const now = this.#deps.monotonic()
    this.#recent = this.#recent.filter(({ untilMs }) => now < untilMs)
    const revoked = this.#recent.map(({ token }) => token).filter((token) => isShared(scope, token))
    send(stream, { revoked: listHashes(revoked), changed: [], all: true })
  }

  /** Notifies every stream that it may have missed changes. */
  catchUpAll(): void {
    for (const stream of [...this.#streams.keys()]) this.catchUp(stream)
  }

  /** Sends changes to the streams whose scope overlaps with the scope of the changed tokens. */
  notify({ revoked = [], changed = [] }: ChangedTokens): void {
    const untilMs = this.#deps.monotonic() + REPEAT_MS
    this.#recent.push(...revoked.map((token) => ({ token, untilMs })))
    this.#recent.splice(0, this.#recent.length - MAX_REPEATED)
    for (const [stream, scope] of [...this.#streams]) {
      const isMeant = (token: HashedToken) => isShared(scope, token)
      const own = {
        revoked: listHashes(revoked.filter(isMeant)),
        changed: listHashes(changed.filter(isMeant)),
        all: false,
      }
      if (own.revoked.length > 0 || own.changed.length > 0) send(stream, own)
    }
  }
}

function send(stream: EventStream, changes: TokenChanges): void {
  stream.send(createEventMessage({ event: TOKEN_CHANGES_EVENT, data: JSON.stringify(changes) }))
}

function listHashes(tokens: readonly HashedToken[]): string[] {
  return tokens.map(({ hash }) => hash)
}

/** Returns true if two scopes may have flags in common. */
function isShared(one: FlagScope, other: FlagScope): boolean {
  if (one.environment !== other.environment) return false
  return (
    one.projects.includes(ALL) || other.projects.includes(ALL) || one.projects.some((id) => other.projects.includes(id))
  )
}
