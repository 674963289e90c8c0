import { createHash } from 'node:crypto'
import { NotReady, Unauthorized } from '@burgee/serving/access-errors'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'

/** Registry of the client keys of proxy SDKs. A client key gives a proxy SDK the same access as a token. */
export interface ProxyKeys {
  /**
   * Returns a token with the scope of a client key. Throws Unauthorized for an unknown key, and NotReady if the scope
   * is not known yet.
   */
  getToken(key: string): EdgeToken
  /** Replaces all client keys at once. No request sees a mixture of old and new keys. */
  replace(clientKeys: readonly string[]): void
}

interface Key {
  readonly token: EdgeToken
  /** Start-up token from which the key takes its scope. Undefined for a key that names its environment. */
  readonly of: EdgeToken | undefined
}

/**
 * Creates the registry of client keys. `key@environment` gives access to all projects in that environment. A key
 * without an environment has the scope of the first start-up token.
 *
 * @param the the first start-up token is tried first
 */
export function createProxyKeys(
  clientKeys: readonly string[],
  first: string | undefined,
  tokens: Pick<EdgeTokens, 'find'>,
): ProxyKeys {
  let environments = parseEnvironments(clientKeys)
  const known = new Map<string, Key>()
  return {
    getToken(key) {
      const hash = hashKey(key)
      if (!environments.has(hash)) throw new Unauthorized()
      const environment = environments.get(hash)
      const of = environment === undefined ? tokens.find(first ?? '') : undefined
      const made = known.get(hash)
      if (made !== undefined && made.of === of) return made.token
      const scope = environment === undefined ? of : { environment, projects: ['*'] }
      if (scope === undefined) throw new NotReady()
      const token: EdgeToken = {
        text: key,
        id: `key-${hash.slice(0, 16)}`,
        hash,
        kind: 'frontend' as const,
        origin: 'pretrusted' as const,
        environment: scope.environment,
        projects: scope.projects,
      }
      known.set(hash, { token, of })
      return token
    },
    replace(next) {
      environments = parseEnvironments(next)
      known.clear()
    },
  }
}

/** Returns the environment after `@` in each key, by the digest of the key. */
function parseEnvironments(clientKeys: readonly string[]): ReadonlyMap<string, string | undefined> {
  return new Map(clientKeys.map(splitKey).map(([key, environment]) => [hashKey(key), environment]))
}

/** Splits a configured client key at the last `@` into the key that SDKs send and the environment, if any. */
export function splitKey(written: string): readonly [key: string, environment: string | undefined] {
  const at = written.lastIndexOf('@')
  return at <= 0 ? [written, undefined] : [written.slice(0, at), written.slice(at + 1)]
}

/** Hashes a key. Looking up a key by its digest takes the same time for every key. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
