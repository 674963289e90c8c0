import type { Environments } from './environments/environments.ts'
import type { EdgeOptions } from './options.ts'
import type { TokenRegistry } from './tokens/token-registry.ts'

/**
 * Returns the readiness check. A node becomes ready once it has flags and, for every environment, has either received
 * flags or failed to fetch them. A node that is ready remains ready. In dynamic mode without start-up tokens, the node
 * is ready immediately.
 */
export function createReadinessCheck(
  options: Pick<EdgeOptions, 'tokens' | 'dynamic'>,
  tokens: TokenRegistry,
  environments: Environments,
): () => boolean {
  let wasReady = options.tokens === undefined && options.dynamic
  return () => {
    wasReady ||= isComplete(tokens, environments)
    return wasReady
  }
}

function isComplete(tokens: TokenRegistry, environments: Environments): boolean {
  const statuses = environments.listStatuses()
  const failed = new Set(statuses.filter(({ failures }) => failures > 0).map(({ environment }) => environment))
  const wanted = tokens.fetching.current().map(({ environment }) => environment)
  const hasSome = statuses.some(({ environment }) => environments.has(environment))
  return hasSome && wanted.every((environment) => environments.has(environment) || failed.has(environment))
}
