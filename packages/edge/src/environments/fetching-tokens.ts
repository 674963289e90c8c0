import { subsumes } from '../tokens/fetch-scopes.ts'

/** Token with which flags are fetched. */
export interface FetchingToken {
  /** Text of the token, for requests; must remain secret. */
  readonly text: string
  /** Public id of the token. */
  readonly id: string
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

/** Set of tokens with which flags are fetched. */
export interface FetchingTokens {
  /** Returns the current tokens. The scope of each token in this list is not contained in the scope of another one. */
  current(): readonly FetchingToken[]
  /**
   * True once it is known for each start-up token whether it is valid. Until then, restored flags of all environments
   * remain in use.
   */
  readonly isSettled: boolean
  /** Calls `changed` after each change of the set. Returns a function that unsubscribes. */
  subscribe(changed: () => void): () => void
}

/**
 * Returns the token with which reports are sent: one whose projects include all given projects, or else any token of
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
