import { createHash } from 'node:crypto'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'
import { NotReady, Unauthorized } from './errors.ts'

/** Keys of the client proxy's SDKs, as tokens. */
export interface ProxyKeys {
  /** Throws Unauthorized for an unknown key, and NotReady until it is known which flags it is for. */
  tokenOf(key: string): EdgeToken
  /** Puts others in the place of all keys; requests see the old ones or the new ones. */
  replace(clientKeys: readonly string[]): void
}

interface Key {
  readonly token: EdgeToken
  /** What it was made of. */
  readonly of: EdgeToken | undefined
}

/**
 * `key@environment` is for all projects of that environment, any other key for what the first start-up token is for.
 *
 * @param first the first start-up token
 */
export function createProxyKeys(
  clientKeys: readonly string[],
  first: string | undefined,
  tokens: Pick<EdgeTokens, 'known'>,
): ProxyKeys {
  let environments = environmentsOf(clientKeys)
  const known = new Map<string, Key>()
  return {
    tokenOf(key) {
      const hash = hashOf(key)
      if (!environments.has(hash)) throw new Unauthorized()
      const environment = environments.get(hash)
      const of = environment === undefined ? tokens.known(first ?? '') : undefined
      const made = known.get(hash)
      if (made !== undefined && made.of === of) return made.token
      const scope = environment === undefined ? of : { environment, projects: ['*'] }
      if (scope === undefined) throw new NotReady()
      const token: EdgeToken = {
        ...{
          text: key,
          id: `key-${hash.slice(0, 16)}`,
          hash,
          kind: 'frontend' as const,
          origin: 'pretrusted' as const,
        },
        ...{ environment: scope.environment, projects: scope.projects },
      }
      known.set(hash, { token, of })
      return token
    },
    replace(next) {
      environments = environmentsOf(next)
      known.clear()
    },
  }
}

/** What stands behind `@`, by the digest of the key. */
function environmentsOf(clientKeys: readonly string[]): ReadonlyMap<string, string | undefined> {
  return new Map(clientKeys.map(splitKey).map(([key, environment]) => [hashOf(key), environment]))
}

/** A client key as it is written: what SDKs show, and the environment behind the last `@`, where there is one. */
export function splitKey(written: string): readonly [key: string, environment: string | undefined] {
  const at = written.lastIndexOf('@')
  return at <= 0 ? [written, undefined] : [written.slice(0, at), written.slice(at + 1)]
}

/** A look by digest takes the same time whatever the key is. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
