import { subsumes } from '../tokens/fetch-scopes.ts'

/** A token that flags are fetched with. */
export interface FetchingToken {
  /** Secret. */
  readonly text: string
  /** Tells it from other tokens; no secret. */
  readonly id: string
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

/** Which tokens flags are fetched with. */
export interface FetchingTokens {
  /** All of now: no two are for the same flags where one would do. */
  current(): readonly FetchingToken[]
  /** Whether it is known of every token of the start whether it is good; until then kept flags of any environment stay. */
  readonly isSettled: boolean
  /** Calls after each change of any of it; the result ends it. */
  subscribe(changed: () => void): () => void
}

/** The token that reports what was counted for projects of an environment: one that is for them, or any of the environment. */
export function reporterFor(
  tokens: readonly FetchingToken[],
  environment: string,
  projects: readonly string[],
): FetchingToken | undefined {
  const own = tokens.filter((token) => token.environment === environment)
  return own.find((token) => subsumes(token, { environment, projects })) ?? own[0]
}
