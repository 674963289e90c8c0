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
import { groupsAt, type Person, personOf } from './claims.ts'
import { fetchLimited } from './limited-fetch.ts'
import { isSafe, type StoredOidc } from './oidc-settings.ts'

/** What a browser keeps between leaving for the provider and coming back; nobody else knows it. */
export interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Path at which it began. */
  readonly next: string
}

/** Somebody who came back from the provider. */
export interface Arrival {
  readonly person: Person
  readonly idToken: string
}

/** The provider could not be asked; what it is about is in `cause`. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

/** What the provider says is not what was asked for, or it refuses; what it is about is in `cause`. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}

interface Deps {
  /** Milliseconds since 1970. */
  readonly monotonic: MonotonicClock
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Where the provider sends people back to. */
  readonly redirectUri: string
  /** Reports a failure that a login survives. */
  readonly warn: (error: unknown) => void
}

const KNOWN_MS = 10 * 60_000
/** Code of the error where the user-info endpoint names another `sub` than the ID token. */
const OTHER_SUBJECT = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
const SECRET_BYTES = 32
const TIMEOUT_S = 10

/** A provider of OpenID Connect by its settings: code flow with PKCE, state and nonce; signatures are always checked. */
export class OidcProvider {
  readonly #deps: Deps
  #known: { readonly key: string; readonly end: number; readonly configuration: Promise<Configuration> } | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Where a browser is to be sent, and what it keeps meanwhile. Throws ProviderAway. */
  async begin(settings: StoredOidc, secret: string, next: string): Promise<{ url: URL; pending: Pending }> {
    const configuration = await this.#configuration(settings, secret)
    const pending = { state: this.#dice(), nonce: this.#dice(), verifier: this.#dice(), next }
    const scopes = ['openid', 'email', 'profile', ...(settings.addGroupsScope ? ['groups'] : [])]
    const url = addressOf(configuration, {
      redirect_uri: this.#deps.redirectUri,
      scope: scopes.join(' '),
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...(settings.acrValues === '' ? {} : { acr_values: settings.acrValues }),
    })
    if (!isSafe(url)) throw new ProviderAway('The provider names an address without TLS')
    return { url, pending }
  }

  /** Who came back, with what is in the address. Throws ProviderAway, SignInRefused. */
  async finish(settings: StoredOidc, secret: string, arrival: { query: string; pending: Pending }): Promise<Arrival> {
    const { state, nonce, verifier } = arrival.pending
    const configuration = await this.#configuration(settings, secret)
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
      const hasGroups = groupPath === '' || groupsAt(claims, groupPath) !== undefined
      const isComplete = claims.email !== undefined && hasGroups
      const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined
      const idToken = tokens.id_token ?? ''
      if (isComplete || !canAsk) return { person: personOf(claims, groupPath), idToken }
      const more = await this.#userInfo(configuration, tokens.access_token, claims.sub ?? '')
      // groups that could not be asked for stay as they are, in place of none
      const path = more === undefined && !hasGroups ? '' : groupPath
      return { person: personOf({ ...more, ...claims }, path), idToken }
    } catch (error) {
      throw isOfNetwork(error)
        ? away(error)
        : new SignInRefused('The provider did not vouch for anybody', { cause: error })
    }
  }

  /** Where a logout ends the session at the provider; undefined where it cannot. */
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
   * Claims of the user-info endpoint; undefined where it fails: the ID token says who somebody is, without it. Throws if the
   * endpoint answers about another person.
   */
  async #userInfo(configuration: Configuration, token: string, subject: string): Promise<object | undefined> {
    try {
      return await fetchUserInfo(configuration, token, subject)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === OTHER_SUBJECT) throw error
      this.#deps.warn(new Error('The user-info endpoint failed; using the ID token alone', { cause: error }))
      return undefined
    }
  }

  #dice(): string {
    return Buffer.from(this.#deps.random(SECRET_BYTES)).toString('base64url')
  }

  /** Asked for once, and again after ten minutes, other settings, or a failure. */
  async #configuration(settings: StoredOidc, secret: string): Promise<Configuration> {
    const { discoverUrl, clientId, idTokenSigningAlgorithm } = settings
    const key = JSON.stringify([discoverUrl, clientId, secret, idTokenSigningAlgorithm])
    const now = this.#deps.monotonic()
    if (this.#known?.key !== key || this.#known.end <= now) {
      this.#known = { key, end: now + KNOWN_MS, configuration: discover(settings, secret) }
    }
    const { configuration } = this.#known
    try {
      return await configuration
    } catch (error) {
      if (this.#known?.configuration === configuration) this.#known = undefined
      throw away(error)
    }
  }
}

/**
 * Throws if the ID token does not name one of the authentication contexts that were asked for: the question travels through
 * the browser of the very person whom it restrains.
 */
function requireAcr(acr: unknown, acrValues: string): void {
  const wanted = acrValues.split(/\s+/).filter((one) => one !== '')
  if (wanted.length === 0 || (typeof acr === 'string' && wanted.includes(acr))) return
  throw new Error('The ID token has none of the `acrValues` as its `acr`')
}

/** Reads the document of the provider. Throws what the client library throws. */
export async function discover(
  { discoverUrl, clientId, idTokenSigningAlgorithm }: StoredOidc,
  secret: string,
): Promise<Configuration> {
  const url = new URL(discoverUrl)
  const metadata = { client_secret: secret, id_token_signed_response_alg: idTokenSigningAlgorithm }
  const configuration = await discovery(url, clientId, metadata, undefined, {
    [customFetch]: fetchLimited,
    timeout: TIMEOUT_S,
    // plain HTTP on this machine alone: every address is looked at when it is called
    execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
  })
  enableNonRepudiationChecks(configuration)
  return configuration
}

/** Address of the provider's login page. Throws ProviderAway where it names none. */
export function addressOf(configuration: Configuration, parameters: Record<string, string>): URL {
  try {
    return buildAuthorizationUrl(configuration, parameters)
  } catch (error) {
    throw away(error)
  }
}

function away(cause: unknown): ProviderAway {
  return new ProviderAway('The provider cannot be asked', { cause })
}

/** Failures of fetch and of its limits, also where the client library has wrapped them. */
function isOfNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true
  if (error.message === 'fetch failed') return true
  return isOfNetwork(error.cause)
}
