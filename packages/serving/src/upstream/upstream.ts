import { parseRetryAfter } from '@burgee/kit/http/retry-after'
import { PROFILE_HEADER } from '@burgee/protocol/evaluation-profile'
import { TOKEN_CHANGES_HEADER } from '@burgee/protocol/token-changes'
import type { Dispatcher, RequestInit, Response } from 'undici'
import { DocumentParser } from './document-text.ts'
import { fetchAnyPort } from './fetch-any-port.ts'
import { findAllowedRedirect, getRedirectOrigin } from './redirect.ts'
import { readBody, toRequestError } from './response-body.ts'

/** Identity that a process presents to its upstream. */
export interface UpstreamIdentity {
  readonly appName: string
  readonly instanceId: string
  readonly connectionId: string
  readonly sdkVersion: string
}

/** Dependencies of an `Upstream`. */
export interface UpstreamDeps {
  /** Base URL, including the trailing `/api`. */
  readonly url: string
  /** Returns the token; called for each request, because the token may be replaced at run time. */
  readonly token: () => string
  readonly identity: UpstreamIdentity
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  readonly refreshIntervalMs: number
  readonly metricsIntervalMs: number
  /** Names of the options for token and URL, for error messages. */
  readonly optionNames: { readonly token: string; readonly url: string }
  /** Name of the header that contains the token; `authorization` by default. */
  readonly tokenHeader?: string | undefined
  /** Additional headers for every request. They override built-in headers, except the header with the token. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Called with the evaluation profile that a response with flags announces; null if the response announces none. */
  readonly onProfile?: ((name: string | null) => void) | undefined
}

/** Thrown if the upstream responds with an unexpected status. */
export class UpstreamError extends Error {
  readonly status: number
  /** Minimum wait before the next request, in milliseconds; undefined if the upstream did not specify one. */
  readonly retryAfterMs: number | undefined
  constructor(status: number, path: string, hint = '', retryAfterMs: number | undefined = undefined) {
    super(`The upstream answered ${status} to ${path}${hint}`)
    this.name = 'UpstreamError'
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** Response statuses for which `Retry-After` is honored. */
const BUSY = new Set([429, 503])
/** Maximum wait that an upstream may request. Without such a maximum, a single wrong header could stop flag updates. */
const MAX_RETRY_AFTER_MS = 300_000

/**
 * Returns the wait that the response to a rejected request specifies, up to the maximum; undefined if it specifies
 * none.
 */
export function getRetryAfterMs({ status, headers }: Pick<Response, 'status' | 'headers'>): number | undefined {
  const waitMs = BUSY.has(status) ? parseRetryAfter(headers) : undefined
  return waitMs === undefined ? undefined : Math.min(waitMs, MAX_RETRY_AFTER_MS)
}

/** Returns the wait that the upstream requested when a request failed, in milliseconds; 0 if it requested none. */
export function getErrorRetryAfterMs(error: unknown): number {
  return error instanceof UpstreamError ? (error.retryAfterMs ?? 0) : 0
}

/** Paths to which usage reports are sent. */
export type ReportPath = '/client/register' | '/client/metrics' | '/client/metrics/bulk'

/** Result of a download: either the new configuration as received, or a confirmation that nothing has changed. */
export type DownloadResult =
  | { readonly changed: false }
  | { readonly changed: true; readonly body: unknown; readonly etag: string | undefined }

/**
 * Version of the client specification that the proxy announces. For versions from 4.2.0 on, upstreams send segments by
 * id.
 */
export const CLIENT_SPEC = '5.2.0'

const MAX_REDIRECTS = 5
/** Start of any stream message, and start of a stream message that contains a full configuration. */
const EVENTS = '{"events":['
const HYDRATION = `${EVENTS}{"type":"hydration",`
/** Redirect statuses that are followed, by method. On a 303, a `POST` would become a `GET` and lose its body. */
const REDIRECTS: Readonly<Record<string, ReadonlySet<number>>> = {
  GET: new Set([301, 302, 303, 307, 308]),
  POST: new Set([301, 302, 307, 308]),
}

/**
 * HTTP client for the upstream. Every failure throws: UpstreamError for an unexpected status, otherwise an Error. Error
 * messages must be safe to publish, because health responses contain them. Addresses and parts of response bodies
 * appear only in the `cause`, which is meant for the log.
 */
export class Upstream {
  readonly #deps: UpstreamDeps
  readonly #base: string
  readonly #tokenHeader: string
  readonly #ownHeaders: Readonly<Record<string, string>>
  readonly #parser = new DocumentParser()

  constructor(deps: UpstreamDeps) {
    this.#deps = deps
    this.#base = deps.url.replace(/\/+$/, '').replace(/\/features$/, '')
    this.#tokenHeader = (deps.tokenHeader ?? 'authorization').toLowerCase()
    this.#ownHeaders = Object.fromEntries(
      Object.entries(deps.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    )
  }

  /** Sends `GET /client/features?query` with the ETag of the configuration in use. */
  async download(query: URLSearchParams, etag: string | undefined): Promise<DownloadResult> {
    const search = query.size === 0 ? '' : `?${query}`
    const path = '/client/features'
    const response = await this.#fetch(`${this.#base}${path}${search}`, {
      method: 'GET',
      headers: {
        ...this.#headers(this.#deps.refreshIntervalMs),
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      // by default, fetch adds "Cache-Control: no-cache" to conditional requests, which makes many servers never
      // respond with 304
      cache: 'force-cache',
    })
    if (response.status === 304) {
      this.#announce(response)
      return { changed: false }
    }
    if (response.status !== 200) throw await this.#refusal(response, path)
    const body = await this.#parse(await readBody(response))
    this.#announce(response)
    return { changed: true, body, etag: response.headers.get('etag') ?? undefined }
  }

  /**
   * Sends `GET /client/streaming`. Resolves with the response once its headers have arrived, regardless of the status.
   * The response is uncompressed, and continues until the signal is aborted. See the wire protocol, section "Streaming
   * and delta".
   *
   * @param withTokenChanges requests token changes from a Burgee upstream; other upstreams ignore this header
   */
  async stream(signal: AbortSignal, withTokenChanges = false): Promise<Response> {
    const headers = {
      ...this.#headers(this.#deps.refreshIntervalMs),
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      ...(withTokenChanges ? { [TOKEN_CHANGES_HEADER]: '1' } : undefined),
    }
    const head = new AbortController()
    const late = setTimeout(() => head.abort(), this.#deps.timeoutMs)
    try {
      const signals = AbortSignal.any([signal, head.signal])
      return await this.#fetch(`${this.#base}/client/streaming`, { method: 'GET', headers, signal: signals })
    } finally {
      clearTimeout(late)
    }
  }

  /**
   * Parses a message from the stream. Items that are unchanged since the previous message remain the same objects.
   * Rejects if the message is not JSON.
   */
  async readMessage(text: string): Promise<unknown> {
    if (!text.startsWith(HYDRATION) || !text.endsWith(']}')) return this.#parse(text)
    try {
      return { events: [await this.#parser.parse(text.slice(EVENTS.length, -']}'.length))] }
    } catch {
      // the full configuration in this message is followed by further events
      return this.#parse(text)
    }
  }

  #announce({ headers }: Response): void {
    this.#deps.onProfile?.(headers.get(PROFILE_HEADER))
  }

  async #parse(text: string): Promise<unknown> {
    try {
      return await this.#parser.parse(text)
    } catch (cause) {
      throw new Error(`The response of the upstream is not JSON${this.#hint(404)}`, { cause })
    }
  }

  async #refusal(response: Response, path: string): Promise<UpstreamError> {
    await response.body?.cancel()
    return new UpstreamError(response.status, path, this.#hint(response.status), getRetryAfterMs(response))
  }

  /** Returns a hint about what to check first. The hint is public, so it must reveal nothing about the URL. */
  #hint(status: number): string {
    if (status === 401 || status === 403) return `: check ${this.#deps.optionNames.token}`
    if (status !== 404 || /\/api$/i.test(new URL(this.#base).pathname)) return ''
    return ': does the address lack /api?'
  }

  /** Sends a `POST` request with a JSON body. Any 2xx status counts as success. */
  async post(path: ReportPath, body: unknown): Promise<void> {
    const headers = { ...this.#headers(this.#deps.metricsIntervalMs), 'content-type': 'application/json' }
    const response = await this.#fetch(`${this.#base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw await this.#refusal(response, path)
    await response.body?.cancel()
  }

  /**
   * Sends `POST /edge/validate`, which is outside `/api` and requires no token. Returns the parsed JSON if the status
   * is 200.
   */
  async validate(tokens: readonly string[]): Promise<unknown> {
    const path = '/edge/validate'
    const { [this.#tokenHeader]: _token, ...headers } = this.#headers(this.#deps.refreshIntervalMs)
    const response = await this.#fetch(`${this.#base.replace(/\/api$/i, '')}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ tokens }),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new UpstreamError(response.status, path, '', getRetryAfterMs(response))
    }
    return this.#parse(await readBody(response))
  }

  /**
   * Sends a request. Follows redirects that `findAllowedRedirect` permits, with the same method, headers and body.
   * Throws if any other redirect is received.
   */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    let at = url
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await this.#fetchOne(at, init)
      const location = response.headers.get('location')
      if (location === null || !REDIRECTS[init.method ?? 'GET']?.has(response.status)) return response
      await response.body?.cancel()
      const next = findAllowedRedirect(at, location)
      if (next === undefined)
        throw createRedirectError(response.status, getRedirectOrigin(at, location), this.#deps.optionNames.url)
      at = next.href
    }
    throw new Error('Too many redirects from the upstream')
  }

  async #fetchOne(url: string, init: RequestInit): Promise<Response> {
    const { dispatcher, timeoutMs } = this.#deps
    try {
      const signal = init.signal ?? AbortSignal.timeout(timeoutMs)
      return await fetchAnyPort(url, { ...init, dispatcher, signal })
    } catch (cause) {
      throw toRequestError(cause)
    }
  }

  #headers(intervalMs: number): Record<string, string> {
    const { identity } = this.#deps
    return {
      accept: 'application/json',
      'user-agent': identity.appName,
      'unleash-appname': identity.appName,
      'unleash-instanceid': identity.instanceId,
      'unleash-connection-id': identity.connectionId,
      'unleash-sdk': identity.sdkVersion,
      'unleash-client-spec': CLIENT_SPEC,
      'unleash-interval': String(intervalMs),
      ...this.#ownHeaders,
      [this.#tokenHeader]: this.#deps.token(),
    }
  }
}

function createRedirectError(status: number, origin: string, option: string): Error {
  const message = `The upstream redirects to another host, which is not followed; set its new address with ${option}`
  return new Error(message, { cause: `${status} to ${origin}` })
}
