import type { Network } from '@burgee/kit/http/client-network'

/** Usable token and its scope. */
export interface EdgeToken {
  /** Token as SDKs send it; secret. */
  readonly text: string
  /** Public id, the same on every node. */
  readonly id: string
  /** SHA-256 of the text, as hex digits. Secret like the text. */
  readonly hash: string
  readonly kind: 'backend' | 'frontend'
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** Origin of the token: a start-up token, validated by the upstream, pretrusted, or configured in offline mode. */
  readonly origin: 'start' | 'upstream' | 'pretrusted' | 'offline'
}

/**
 * Reason of a removal. `refused`: the upstream reports the token as invalid. `replaced`: a token with the same text is
 * added at once. `dropped`: this node no longer stores the token, which may still be valid.
 */
export type RemovalReason = 'refused' | 'replaced' | 'dropped'

/** Listener for added and removed tokens. */
export interface TokenListener {
  added(token: EdgeToken): void
  removed(token: EdgeToken, reason: RemovalReason): void
}

/** Caller that sent an unknown token. */
export interface TokenRequester {
  readonly network: Network
  /**
   * Kind of caller: an SDK with its own token, or a downstream node that validates the tokens of its SDKs. Each kind of
   * caller has a separate limit of waiting tokens.
   */
  readonly kind: 'sdk' | 'node'
}

/** Registry of valid tokens, which validates unknown tokens. */
export interface EdgeTokens {
  /** Returns a known token; undefined if it is unknown or invalid. */
  find(text: string): EdgeToken | undefined
  /**
   * Validates a token, with a request to the upstream if necessary. Rejects with `TokenRefused`, which contains the
   * reason. Rejects with `TokenUndecided` if the token cannot be validated now or the caller's network exceeds its
   * limits.
   */
  admit(text: string, requester: TokenRequester): Promise<EdgeToken>
  /** Returns a known token by its public id. */
  findById(id: string): EdgeToken | undefined
  /** Returns all known tokens. */
  all(): readonly EdgeToken[]
  /** Calls the listener for each change. Returns a function that unsubscribes. */
  subscribe(listener: TokenListener): () => void
}
