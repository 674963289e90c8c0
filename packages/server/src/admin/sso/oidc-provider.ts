import { createHash } from 'node:crypto'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { getGroups, mergeClaims, type Person, parsePerson, requireAcr } from './claims.ts'
import { fetchLimited } from './limited-fetch.ts'
import { isSafe, type StoredOidc } from './oidc-settings.ts'

/** Login state that only the user's browser stores while the user is at the provider. */
export interface PendingLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Digest of the issuer and the client id, so that no other provider receives the code of this login. */
  readonly provider: string
  /** Path of the page where the login began. */
  readonly next: string
}

/** Result of a login at the provider. */
export interface ProviderLogin {
  readonly person: Person
  readonly idToken: string
}

/** Thrown if the provider cannot be reached; the reason is in `cause`. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}

/** Thrown if the provider rejects the login or its response is invalid; the reason is in `cause`. */
export class SignInRejected extends Error {
  override readonly name = 'SignInRejected'
}

interface Deps {
  /** Monotonic clock in milliseconds. */
  readonly monotonic: MonotonicClock
  /** Returns unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Address to which the provider redirects after a login. */
  readonly redirectUri: string
  /** Reports a failure that does not make the login fail. */
  readonly warn: (error: unknown) => void
}

const CACHE_MS = 10 * 60_000
/** Error code for a user-info endpoint that returns a different `sub` from the one in the ID token. */
const OTHER_SUBJECT = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
const SECRET_BYTES = 32
const TIMEOUT_S = 10

/** OpenID Connect client that uses the code flow, PKCE, state and nonce. Signatures are always verified. */
export class OidcProvider {
  readonly #deps: Deps
  #cached: { readonly key: string; readonly end: number; readonly configuration: Promise<Configuration> } | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Returns the URL of the provider's login page, and the state that the browser must store. Throws
   * ProviderUnreachable.
   */
  async begin(settings: StoredOidc, secret: string, next: string): Promise<{ url: URL; pending: PendingLogin }> {
    const configuration = await this.#configuration(settings, secret)
    const pending = {
      state: this.#createRandomText(),
      nonce: this.#createRandomText(),
      verifier: this.#createRandomText(),
      provider: toProviderDigest(configuration),
      next,
    }
    const scopes = ['openid', 'email', 'profile', ...(settings.addGroupsScope ? ['groups'] : [])]
    const url = buildLoginUrl(configuration, {
      redirect_uri: this.#deps.redirectUri,
      scope: scopes.join(' '),
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...(settings.acrValues === '' ? {} : { acr_values: settings.acrValues }),
    })
    if (!isSafe(url)) throw new ProviderUnreachable('The provider returned an address without TLS')
    return { url, pending }
  }

  /** Completes a login, given the query string of the redirect. Throws ProviderUnreachable, SignInRejected. */
  async finish(
    settings: StoredOidc,
    secret: string,
    arrival: { query: string; pending: PendingLogin },
  ): Promise<ProviderLogin> {
    const { state, nonce, verifier, provider } = arrival.pending
    const configuration = await this.#configuration(settings, secret)
    if (provider !== toProviderDigest(configuration))
      throw new SignInRejected('The login began at another provider: the settings have changed since')
    try {
      const tokens = await authorizationCodeGrant(
        configuration,
        new URL(`${this.#deps.redirectUri}?${arrival.query}`),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        },
      )
      const claims = { ...tokens.claims() }
      requireAcr(claims.acr, settings.acrValues)
      const groupPath = settings.enableGroupSyncing ? settings.groupJsonPath : ''
      const hasGroups = groupPath === '' || getGroups(claims, groupPath) !== undefined
      const isComplete = claims.email !== undefined && hasGroups
      const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined
      const idToken = tokens.id_token ?? ''
      if (isComplete || !canAsk) return { person: parsePerson(claims, groupPath), idToken }
      const more = await this.#userInfo(configuration, tokens.access_token, claims.sub ?? '')
      // if the user-info request failed, leave the groups unchanged instead of removing the user from all of them
      const path = more === undefined && !hasGroups ? '' : groupPath
      return { person: parsePerson(mergeClaims(claims, more), path), idToken }
    } catch (error) {
      throw isNetworkError(error)
        ? createUnreachable(error)
        : new SignInRejected('The provider confirmed no user', { cause: error })
    }
  }

  /** Returns the provider's logout URL; undefined if the provider has none. */
  async end(settings: StoredOidc, secret: string, leaving: { idToken: string; to: string }): Promise<URL | undefined> {
    const configuration = await this.#configuration(settings, secret)
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    const url = buildEndSessionUrl(configuration, {
      id_token_hint: leaving.idToken,
      post_logout_redirect_uri: leaving.to,
    })
    return isSafe(url) ? url : undefined
  }

  /**
   * Fetches the claims of the user-info endpoint. Returns undefined if the request fails, because the ID token alone
   * identifies the person. Throws if the endpoint describes a different person.
   */
  async #userInfo(configuration: Configuration, token: string, subject: string) {
    try {
      return await fetchUserInfo(configuration, token, subject)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === OTHER_SUBJECT) throw error
      this.#deps.warn(new Error('The user-info endpoint failed; using the ID token alone', { cause: error }))
      return undefined
    }
  }

  #createRandomText(): string {
    return Buffer.from(this.#deps.random(SECRET_BYTES)).toString('base64url')
  }

  /**
   * Returns the provider's metadata. The metadata is cached for ten minutes, and fetched again after a failure or when
   * the settings change.
   */
  async #configuration(settings: StoredOidc, secret: string): Promise<Configuration> {
    const { discoverUrl, clientId, idTokenSigningAlgorithm } = settings
    const key = JSON.stringify([discoverUrl, clientId, secret, idTokenSigningAlgorithm])
    const now = this.#deps.monotonic()
    if (this.#cached?.key !== key || this.#cached.end <= now) {
      this.#cached = { key, end: now + CACHE_MS, configuration: discover(settings, secret) }
    }
    const { configuration } = this.#cached
    try {
      return await configuration
    } catch (error) {
      if (this.#cached?.configuration === configuration) this.#cached = undefined
      throw createUnreachable(error)
    }
  }
}

function toProviderDigest(configuration: Configuration): string {
  const parts = [configuration.serverMetadata().issuer, configuration.clientMetadata().client_id]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Reads the metadata of the provider. Throws the errors that the client library throws. */
export async function discover(
  { discoverUrl, clientId, idTokenSigningAlgorithm }: StoredOidc,
  secret: string,
): Promise<Configuration> {
  const url = new URL(discoverUrl)
  const metadata = { client_secret: secret, id_token_signed_response_alg: idTokenSigningAlgorithm }
  const configuration = await discovery(url, clientId, metadata, undefined, {
    [customFetch]: fetchLimited,
    timeout: TIMEOUT_S,
    // plain HTTP is only possible for addresses of this machine, because `fetchLimited` checks every address
    execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
  })
  enableNonRepudiationChecks(configuration)
  return configuration
}

/** Returns the address of the provider's login page. Throws ProviderUnreachable if the provider has none. */
export function buildLoginUrl(configuration: Configuration, parameters: Record<string, string>): URL {
  try {
    return buildAuthorizationUrl(configuration, parameters)
  } catch (error) {
    throw createUnreachable(error)
  }
}

function createUnreachable(cause: unknown): ProviderUnreachable {
  return new ProviderUnreachable('The provider cannot be reached', { cause })
}

/** Returns true for failures and timeouts of fetch, including those wrapped by the client library. */
function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true
  if (error.message === 'fetch failed') return true
  return isNetworkError(error.cause)
}
