/** Scope of a token. */
export interface TokenScope {
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

const ALL = '*'

/**
 * Returns true if the scope of one token includes the scope of another: the environments are the same, and the first
 * token has all projects of the second.
 */
export function subsumes(one: TokenScope, other: TokenScope): boolean {
  return one.environment === other.environment && includes(new Set(one.projects), other.projects)
}

/**
 * Returns the smallest set of tokens whose scopes together include the scope of every given token. No returned token
 * has a scope that includes another returned token's scope. If several tokens have the same scope, returns only the
 * first.
 */
export function selectFetchingTokens<T extends TokenScope>(tokens: readonly T[]): T[] {
  // there are few distinct scopes, so only one token per scope is compared
  const firsts = new Map<string, T>()
  for (const token of tokens) {
    const scope = JSON.stringify([token.environment, ...[...new Set(token.projects)].sort()])
    if (!firsts.has(scope)) firsts.set(scope, token)
  }
  const scopes = [...firsts.values()]
  return scopes.filter((token, at) =>
    scopes.every((other, otherAt) => {
      if (otherAt === at || !subsumes(other, token)) return true
      return at < otherAt && subsumes(token, other)
    }),
  )
}

/**
 * Returns true if the given tokens together cover a whole scope. The documents of all tokens are merged, so each token
 * can contribute a part.
 */
export function covers(tokens: readonly TokenScope[], { environment, projects }: TokenScope): boolean {
  const same = tokens.filter((token) => token.environment === environment)
  return includes(new Set(same.flatMap((token) => token.projects)), projects)
}

function includes(available: ReadonlySet<string>, requested: readonly string[]): boolean {
  return available.size > 0 && (available.has(ALL) || requested.every((project) => available.has(project)))
}
