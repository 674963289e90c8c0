import type { Network } from '@burgee/kit/http/network'

/** A token that may be used, and what it is good for. */
export interface EdgeToken {
  /** As SDKs show it: secret. */
  readonly text: string
  /** Tells it from other tokens, on every node; no secret. */
  readonly id: string
  /** SHA-256 of the text, as hex digits: secret as well. */
  readonly hash: string
  readonly kind: 'backend' | 'frontend'
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** How it is known: named at the start, found good by the upstream, trusted without being asked for, of a file. */
  readonly origin: 'start' | 'upstream' | 'pretrusted' | 'offline'
}

/**
 * Why a token is removed: the upstream says that it is not good; another one of its text follows at once; this node does not
 * keep it any more, good or not.
 */
export type RemovalReason = 'refused' | 'replaced' | 'dropped'

/** Hears of tokens that become known, and of those that are known no longer. */
export interface TokenListener {
  added(token: EdgeToken): void
  removed(token: EdgeToken, reason: RemovalReason): void
}

/** Who shows a token that is not known. */
export interface Asker {
  readonly network: Network
  /** An SDK with its token, or a node that asks for those of its SDKs: neither takes the places of the other. */
  readonly kind: 'sdk' | 'node'
}

/** Which tokens are good, as far as is known, and finding out about others. */
export interface EdgeTokens {
  /** What is known of a token; undefined where that is nothing, or where it is refused. */
  known(text: string): EdgeToken | undefined
  /**
   * Finds out about a token, by asking the upstream where it must be. Rejects with `TokenRefused`, which says why, and
   * with `TokenUndecided` where nobody can say now, or where the network of the asker asks for too much.
   */
  admit(text: string, asker: Asker): Promise<EdgeToken>
  /** A known token by its public id. */
  findById(id: string): EdgeToken | undefined
  /** All known ones. */
  all(): readonly EdgeToken[]
  /** Calls for each change; the result ends it. */
  subscribe(listener: TokenListener): () => void
}
