import { invalid } from '@burgee/kit/input/refusals'
import { authorizationCodeGrant, type Configuration } from 'openid-client'
import { fetchLimited } from './limited-fetch.ts'
import { buildLoginUrl, discover } from './oidc-provider.ts'
import { isSafe, type StoredOidc } from './oidc-settings.ts'
import { describeFailure, isClientRejected, isGrantRejected } from './provider-failure.ts'

/**
 * Made-up code that no provider has issued. A provider that accepts the client and its secret rejects only the code.
 * Any other error means that the provider rejects the client.
 */
const MADE_UP_CODE = 'burgee-checks-its-settings-with-a-code-that-nobody-issued'
const STATE = 'settings-check'

/** Settings to check, and the values needed for the check. */
export interface ProviderCheck {
  readonly settings: StoredOidc
  readonly secret: string
  /** Address to which the provider redirects after a login. */
  readonly redirectUri: string
}

/**
 * Checks that logins can work: metadata, issuer, login page, keys, client and secret. Throws ValidationError that names
 * the setting at fault and the reason.
 */
export async function requireWorkingProvider({ settings, secret, redirectUri }: ProviderCheck): Promise<void> {
  const configuration = await discover(settings, secret).catch((error: unknown) => {
    throw createUnusable(`The provider cannot be used: ${describeFailure(error)}`)
  })
  requireAlgorithm(configuration, settings.idTokenSigningAlgorithm)
  requireLoginPage(configuration, redirectUri)
  await requireKeys(configuration)
  await requireClient(configuration, redirectUri)
}

function requireAlgorithm(configuration: Configuration, algorithm: string): void {
  const offered = configuration.serverMetadata().id_token_signing_alg_values_supported
  if (offered === undefined || offered.includes(algorithm)) return
  throw invalid(`The provider does not sign ID tokens with ${algorithm}`, 'body/idTokenSigningAlgorithm')
}

function requireLoginPage(configuration: Configuration, redirectUri: string): void {
  try {
    if (isSafe(buildLoginUrl(configuration, { redirect_uri: redirectUri }))) return
  } catch (error) {
    throw createUnusable(`The provider names no usable login page: ${describeFailure(error)}`)
  }
  throw createUnusable('The provider names a login page without TLS')
}

async function requireKeys(configuration: Configuration): Promise<void> {
  const { jwks_uri: address } = configuration.serverMetadata()
  if (address === undefined)
    throw createUnusable('The provider names no `jwks_uri`, so its ID tokens cannot be verified')
  const keys = await fetchKeys(address).catch((error: unknown) => {
    throw createUnusable(`The keys of the provider cannot be read: ${describeFailure(error)}`)
  })
  if (!keys.some(isSigningKey)) throw createUnusable('The provider publishes no RSA key to verify its ID tokens with')
}

async function fetchKeys(address: string): Promise<readonly unknown[]> {
  const headers = { accept: 'application/json' }
  const reply = await fetchLimited(address, { method: 'GET', headers, body: undefined, redirect: 'manual' })
  if (!reply.ok) throw new Error('The request for the keys was not answered', { cause: reply })
  const document: unknown = await reply.json()
  if (typeof document !== 'object' || document === null || !('keys' in document)) return []
  return Array.isArray(document.keys) ? document.keys : []
}

function isSigningKey(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false
  const { kty, use = 'sig' } = key as { readonly kty?: unknown; readonly use?: unknown }
  return kty === 'RSA' && use === 'sig'
}

/** Exchanges a made-up code with the same request that a login sends. */
async function requireClient(configuration: Configuration, redirectUri: string): Promise<void> {
  const back = new URL(`${redirectUri}?code=${MADE_UP_CODE}&state=${STATE}`)
  const { issuer, authorization_response_iss_parameter_supported: namesIssuer } = configuration.serverMetadata()
  if (namesIssuer === true) back.searchParams.set('iss', issuer)
  const checks = { expectedState: STATE, pkceCodeVerifier: MADE_UP_CODE, idTokenExpected: true }
  try {
    await authorizationCodeGrant(configuration, back, checks)
  } catch (error) {
    if (isGrantRejected(error) && !isClientRejected(error)) return
    if (isClientRejected(error)) throw invalid('The provider rejects this client id or secret', 'body/clientId')
    throw createUnusable(`The token endpoint of the provider cannot be used: ${describeFailure(error)}`)
  }
  throw createUnusable('The token endpoint of the provider accepts a code that it has not issued')
}

function createUnusable(text: string): Error {
  return invalid(text, 'body/discoverUrl')
}
