import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { eventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import { TOKEN_CHANGES_EVENT, type TokenChanges } from '@burgee/protocol/token-changes'
import type { FlagScope } from './flag-query.ts'

/** A token that is named by the SHA-256 of its text, and what it is for. */
export interface HashedToken extends FlagScope {
  /** Hex digits. */
  readonly hash: string
}

/** Tokens that are good no longer, and tokens that are for something else now. */
export interface ChangedTokens {
  readonly revoked?: readonly HashedToken[]
  readonly changed?: readonly HashedToken[]
}

/** What streams of flags need in order to tell of tokens as well. */
export interface TokenChangeFeed {
  /** Tells a stream of every change from now on. The result forgets it. */
  join(stream: EventStream, scope: FlagScope): () => void
  /** Tells a stream that it may have missed changes. */
  catchUp(stream: EventStream): void
  close(): void
}

/** What token change streams need. */
export interface TokenChangeStreamsDeps {
  readonly monotonic: MonotonicClock
  /** Resolves once every later change will be told; called where a stream begins. Never rejects. */
  readonly ready: () => Promise<void>
}

/**
 * How long a revoked token is repeated to streams that begin: other nodes hear of it within a second, and whoever asks one
 * of them before that must not take the token for good again.
 */
const REPEAT_MS = 10_000
const MAX_REPEATED = 10_000
const ALL = '*'

/**
 * Streams of edges that are told of changes of tokens. Each hears only of tokens of its own environment that share a project
 * with its own token, and of these only hashes.
 */
export class TokenChangeStreams {
  readonly #deps: TokenChangeStreamsDeps
  readonly #streams = new Map<EventStream, FlagScope>()
  #recent: { readonly token: HashedToken; readonly untilMs: number }[] = []

  constructor(deps: TokenChangeStreamsDeps) {
    this.#deps = deps
  }

  /** True if a stream asks for changes. */
  get isFollowed(): boolean {
    return this.#streams.size > 0
  }

  /** Tells a stream of every change from now on. The result forgets it. */
  join(stream: EventStream, scope: FlagScope): () => void {
    this.#streams.set(stream, scope)
    void this.#deps.ready().then(() => this.catchUp(stream))
    return () => void this.#streams.delete(stream)
  }

  /** Tells a stream that it may have missed changes, and of the latest revoked tokens. */
  catchUp(stream: EventStream): void {
    const scope = this.#streams.get(stream)
    if (scope === undefined) return
    const now = this.#deps.monotonic()
    this.#recent = this.#recent.filter(({ untilMs }) => now < untilMs)
    const revoked = this.#recent.map(({ token }) => token).filter((token) => isShared(scope, token))
    send(stream, { revoked: hashesOf(revoked), changed: [], all: true })
  }

  /** Tells every stream that changes may have been missed. */
  catchUpAll(): void {
    for (const stream of [...this.#streams.keys()]) this.catchUp(stream)
  }

  /** Tells the streams that may know of these tokens. */
  tell({ revoked = [], changed = [] }: ChangedTokens): void {
    const untilMs = this.#deps.monotonic() + REPEAT_MS
    this.#recent.push(...revoked.map((token) => ({ token, untilMs })))
    this.#recent.splice(0, this.#recent.length - MAX_REPEATED)
    for (const [stream, scope] of [...this.#streams]) {
      const isMeant = (token: HashedToken) => isShared(scope, token)
      const own = { revoked: hashesOf(revoked.filter(isMeant)), changed: hashesOf(changed.filter(isMeant)), all: false }
      if (own.revoked.length > 0 || own.changed.length > 0) send(stream, own)
    }
  }
}

function send(stream: EventStream, changes: TokenChanges): void {
  stream.send(eventMessage({ event: TOKEN_CHANGES_EVENT, data: JSON.stringify(changes) }))
}

function hashesOf(tokens: readonly HashedToken[]): string[] {
  return tokens.map(({ hash }) => hash)
}

/** Returns true if two scopes have flags in common. */
function isShared(one: FlagScope, other: FlagScope): boolean {
  if (one.environment !== other.environment) return false
  return (
    one.projects.includes(ALL) || other.projects.includes(ALL) || one.projects.some((id) => other.projects.includes(id))
  )
}
