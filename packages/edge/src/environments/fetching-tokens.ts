import { subsumes } from '../tokens/fetch-scopes.ts'

/** Token with which flags are fetched. */
export interface FetchingToken {
  /** Token text for requests; secret. */
  readonly text: string
  /** Public id of the token. */
  readonly id: string
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

/** Set of tokens with which flags are fetched. */
export interface FetchingTokens {
  /** Returns the current tokens. No token in the list includes the scope of another. */
  current(): readonly FetchingToken[]
  /**
   * True once each start-up token is known to be valid or invalid. While this is false, restored flags of all
   * environments stay in use.
   */
  readonly isSettled: boolean
  /** Calls `changed` after each change of the set. Returns a function that unsubscribes. */
  subscribe(changed: () => void): () => void
}

/**
 * Returns the token that delivers reports: a token whose projects include all given projects, otherwise any token of
 * the environment.
 */
export function findReporter(
  tokens: readonly FetchingToken[],
  environment: string,
  projects: readonly string[],
): FetchingToken | undefined {
  const own = tokens.filter((token) => token.environment === environment)
  return own.find((token) => subsumes(token, { environment, projects })) ?? own[0]
}
