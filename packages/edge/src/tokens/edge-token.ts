import type { Network } from '@burgee/kit/http/client-network'

/** Usable token and its scope. */
export interface EdgeToken {
  /** Token as SDKs send it; secret. */
  readonly text: string
  /** Public id, the same on every node. */
  readonly id: string
  /** SHA-256 of the text, as hex digits. As secret as the token itself. */
  readonly hash: string
  readonly kind: 'backend' | 'frontend'
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /**
   * Origin of the token: it is a start-up token, was validated by the upstream, is pretrusted, or is configured in
   * offline mode.
   */
  readonly origin: 'start' | 'upstream' | 'pretrusted' | 'offline'
}

/**
 * Reason why a token was removed. `refused`: the upstream reports the token as invalid. `replaced`: a different token
 * with the same text is added immediately afterwards. `dropped`: this node no longer stores the token, which may still
 * be valid.
 */
export type RemovalReason = 'refused' | 'replaced' | 'dropped'

/** Listener for added and removed tokens. */
export interface TokenListener {
  added(token: EdgeToken): void
  removed(token: EdgeToken, reason: RemovalReason): void
}

/** Caller that sent a token which this node does not know. */
export interface TokenRequester {
  readonly network: Network
  /**
   * Kind of caller: an SDK with its own token, or a downstream node that validates the tokens of its SDKs. The number
   * of tokens that wait for validation is limited separately for each kind of caller.
   */
  readonly kind: 'sdk' | 'node'
}

/** Registry of valid tokens, which validates unknown tokens. */
export interface EdgeTokens {
  /** Returns a token that is known to be valid; undefined if it is unknown or invalid. */
  find(text: string): EdgeToken | undefined
  /**
   * Validates a token, with a request to the upstream if necessary. Rejects with `TokenRefused`, which contains the
   * reason, if the token is rejected. Rejects with `TokenUndecided` if the token cannot be validated now or the
   * caller's network has exceeded a limit.
   */
  admit(text: string, requester: TokenRequester): Promise<EdgeToken>
  /** Returns the known token that has this public id. */
  findById(id: string): EdgeToken | undefined
  /** Returns all known tokens. */
  all(): readonly EdgeToken[]
  /** Calls the listener for each added or removed token. Returns a function that unsubscribes. */
  subscribe(listener: TokenListener): () => void
}
