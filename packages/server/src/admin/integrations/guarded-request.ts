import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isEncryptedAddress } from '@burgee/kit/options/encrypted-addresses'
import { TimeoutError, withTimeout } from '@burgee/kit/with-timeout'
import { matchesHost } from '../../core/options/host-patterns.ts'
import type { OutgoingCall } from './calls.ts'
import { isPublicAddress } from './public-address.ts'

/** Resolves all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** Result of an HTTP call to a receiver. */
export interface CallResult {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** Error message without secrets or content of the response; undefined on success. */
  readonly error: string | undefined
  readonly retry: RetryPolicy
}

/**
 * Rule for repeating a failed call. `limited`: once after each pause in the deliverer's list. `unlimited`: until the
 * call succeeds.
 */
export type RetryPolicy = 'never' | 'limited' | 'unlimited'

/** Restrictions on outgoing calls, and the resolver. */
export interface CallGuard {
  readonly allowPrivate: boolean
  /** Hosts that may be called, as patterns from the option `integrationAllowedHosts`; an empty list allows all. */
  readonly allowedHosts: readonly string[]
  /** True if calls to other machines must use HTTPS. */
  readonly requireEncryption: boolean
  readonly resolve: Resolve
  /** Trusted CA certificates in PEM; the default ones of Node.js if missing. */
  readonly ca?: Buffer | undefined
}

/** Resolves all addresses of a host through the operating system. */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true })

const TIMEOUT_MS = 10_000
/** Maximum number of response bytes to read; further bytes are discarded. */
const MAX_RESPONSE_BYTES = 65_536

/** Thrown for calls that are not allowed. The message contains no text from the receiver. */
export class CallRejected extends Error {
  override readonly name = 'CallRejected'
}

/**
 * Posts a call. Resolves the host once, checks the address, and connects to exactly that address, so that DNS changes
 * have no effect. Does not follow redirects. Takes ten seconds at most, from the lookup to the end of the response.
 * Never rejects.
 */
export async function callGuarded(call: OutgoingCall, guard: CallGuard): Promise<CallResult> {
  const ending = new AbortController()
  try {
    const status = await withTimeout(TIMEOUT_MS, send(call, guard, ending.signal))
    if (status >= 200 && status < 300) return { status, error: undefined, retry: 'never' }
    const isWorthRetry = status >= 500 || status === 429 || status === 408
    const isRedirect = status >= 300 && status < 400
    const error = isRedirect
      ? `The receiver responded with a redirect (${status}); redirects are not followed`
      : `The receiver responded with status ${status}`
    return { status, error, retry: isWorthRetry ? 'limited' : 'never' }
  } catch (error) {
    const retry = error instanceof CallRejected ? 'never' : 'limited'
    return { status: undefined, error: describeError(error), retry }
  } finally {
    ending.abort()
  }
}

async function send(call: OutgoingCall, guard: CallGuard, signal: AbortSignal): Promise<number> {
  const answer = await guardedRequest({ ...call, method: 'POST' }, guard, signal)
  return new Promise((resolve, reject) => {
    let bytes = 0
    const done = () => resolve(answer.statusCode ?? 0)
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_RESPONSE_BYTES) {
        done()
        answer.destroy()
      }
    })
    answer.on('end', done)
    answer.on('error', reject)
  })
}

/**
 * Sends a request to an allowed host. Resolves the host once, checks the address, and connects to exactly that address.
 * Does not follow redirects. Rejects with CallRejected for disallowed hosts and addresses, and with network errors.
 */
export async function guardedRequest(
  { url, method, headers, body }: OutgoingCall & { readonly method: string },
  guard: CallGuard,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const target = parseUrl(url)
  const host = target.hostname.replace(/^\[|\]$/g, '')
  requireAllowedHost(host, guard.allowedHosts)
  if (guard.requireEncryption && !isEncryptedAddress(url)) {
    throw new CallRejected('REQUIRE_ENCRYPTION forbids addresses that begin with http://')
  }
  const pinned = await resolveAddress(host, guard)
  const pin: LookupFunction = (_host, options, done) => {
    if (options.all === true) done(null, [pinned])
    else done(null, pinned.address, pinned.family)
  }
  const request = target.protocol === 'https:' ? requestByHttps : requestByHttp
  const length = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    const sent = request(
      target,
      {
        method,
        headers: { 'user-agent': 'Burgee', ...headers, 'content-length': length },
        lookup: pin,
        agent: false,
        ...(guard.ca === undefined ? {} : { ca: guard.ca }),
        signal,
      },
      resolve,
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CallRejected('The URL is not a valid HTTP address')
  return url
}

/**
 * Throws CallRejected unless the list of allowed hosts contains the host. Ignores case and a dot at the end of the
 * name.
 */
function requireAllowedHost(host: string, allowed: readonly string[]): void {
  if (allowed.length === 0 || allowed.some((pattern) => matchesHost(host, pattern))) return
  throw new CallRejected('INTEGRATION_ALLOWED_HOSTS does not contain the host')
}

/**
 * Returns the address to connect to. Rejects a host if any of its addresses is private, because the connection might
 * use the private address.
 */
async function resolveAddress(host: string, { allowPrivate, resolve }: CallGuard) {
  const family = isIP(host)
  const found = family === 0 ? await resolve(host) : [{ address: host, family }]
  const [first] = found
  if (first === undefined) throw new Error('The host has no address')
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address))) {
    throw new CallRejected(
      'The host resolves to a private, loopback or link-local address; INTEGRATION_ALLOW_PRIVATE_ADDRESSES would allow it',
    )
  }
  return first
}

/**
 * Returns an error message that is based on error codes: the system's own messages may contain hosts and addresses,
 * which must stay secret.
 */
function describeError(error: unknown): string {
  if (error instanceof CallRejected) return error.message
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code !== undefined) return `The receiver could not be reached (${code})`
  return error instanceof TimeoutError
    ? 'The receiver did not answer within 10 seconds'
    : 'The receiver could not be called'
}
