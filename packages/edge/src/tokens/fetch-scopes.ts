/** What a token is good for. */
export interface TokenScope {
  readonly environment: string
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
}

const ALL = '*'

/** Whether what one token gets includes all that another one gets: equal environment, and its projects. */
export function subsumes(one: TokenScope, other: TokenScope): boolean {
  return one.environment === other.environment && includes(new Set(one.projects), other.projects)
}

/**
 * Those tokens that have to fetch so that there is everything that any of them gets: no one of them subsumes another; of
 * equal ones the first.
 */
export function fetchingOf<T extends TokenScope>(tokens: readonly T[]): T[] {
  // many tokens are for few scopes: only these are held against each other
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
 * Whether tokens together get all of an environment that a scope asks for; documents of several tokens are one, so that
 * each may bring a part.
 */
export function covers(tokens: readonly TokenScope[], { environment, projects }: TokenScope): boolean {
  const same = tokens.filter((token) => token.environment === environment)
  return includes(new Set(same.flatMap((token) => token.projects)), projects)
}

function includes(held: ReadonlySet<string>, asked: readonly string[]): boolean {
  return held.size > 0 && (held.has(ALL) || asked.every((project) => held.has(project)))
}
