import { readRetryAfter } from '@burgee/kit/http/retry-after'
import { PROFILE_HEADER } from '@burgee/protocol/evaluation-profile'
import { TOKEN_CHANGES_HEADER } from '@burgee/protocol/token-changes'
import type { Dispatcher, RequestInit, Response } from 'undici'
import { DocumentTexts } from './document-text.ts'
import { codeOf } from './error-reason.ts'
import { fetchAnyPort } from './fetch-any-port.ts'
import { allowedRedirect, originOf } from './redirect.ts'

/** How a process presents itself upstream. */
export interface UpstreamIdentity {
  readonly appName: string
  readonly instanceId: string
  readonly connectionId: string
  readonly sdkVersion: string
}

/** What an upstream client needs. */
export interface UpstreamDeps {
  /** Address up to and with `/api`. */
  readonly url: string
  /** Read for each request, as it may be replaced while running. */
  readonly token: () => string
  readonly identity: UpstreamIdentity
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  readonly refreshIntervalMs: number
  readonly metricsIntervalMs: number
  /** What the operator set these by, for messages that say what to check. */
  readonly optionNames: { readonly token: string; readonly url: string }
  /** Name of the header that carries the token; `authorization` by default. */
  readonly tokenHeader?: string | undefined
  /** Sent with every request; where a name is one of ours, this value counts, but for the token's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Takes the evaluation profile that a reply with flags announces; null for none. */
  readonly onProfile?: ((name: string | null) => void) | undefined
}

/** The upstream answered, but not with what was asked for. */
export class UpstreamError extends Error {
  readonly status: number
  /** Minimum time until the next request, in milliseconds; undefined if the upstream names none. */
  readonly retryAfterMs: number | undefined
  constructor(status: number, path: string, hint = '', retryAfterMs: number | undefined = undefined) {
    super(`The upstream answered ${status} to ${path}${hint}`)
    this.name = 'UpstreamError'
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** Statuses whose `Retry-After` is honored. */
const BUSY = new Set([429, 503])
/** Maximum wait that an upstream can ask for: beyond, one wrong header would keep flags from changing. */
const MAX_RETRY_AFTER_MS = 300_000

/** Returns the wait that a refused request asks for, within bounds; undefined if it asks for none. */
export function askedWaitMs({ status, headers }: Pick<Response, 'status' | 'headers'>): number | undefined {
  const waitMs = BUSY.has(status) ? readRetryAfter(headers) : undefined
  return waitMs === undefined ? undefined : Math.min(waitMs, MAX_RETRY_AFTER_MS)
}

/** Returns the wait that the failure of a request asks for, in milliseconds; 0 if it asks for none. */
export function retryAfterOf(error: unknown): number {
  return error instanceof UpstreamError ? (error.retryAfterMs ?? 0) : 0
}

/** Where reports of usage go. */
export type ReportPath = '/client/register' | '/client/metrics' | '/client/metrics/bulk'

/** A new configuration as it came, or the news that nothing changed. */
export type Download =
  | { readonly changed: false }
  | { readonly changed: true; readonly body: unknown; readonly etag: string | undefined }

/** The client-feature specification level the proxy announces: segments are sent by id from 4.2.0 on. */
export const CLIENT_SPEC = '5.2.0'

/** The longest answer that is read, as sent and decoded: some hundred thousand flags. */
export const MOST_BYTES = 128 * 1024 * 1024
const MOST_REDIRECTS = 5
/** What a message of a stream begins with, and one that is everything. */
const EVENTS = '{"events":['
const HYDRATION = `${EVENTS}{"type":"hydration",`
/** With a 303 a `POST` would become a `GET`, which reports nothing. */
const REDIRECTS: Readonly<Record<string, ReadonlySet<number>>> = {
  GET: new Set([301, 302, 303, 307, 308]),
  POST: new Set([301, 302, 307, 308]),
}

/**
 * HTTP to the upstream service. Every failure is thrown: UpstreamError for a status, an Error for the rest. Everybody
 * may read their messages (health shows them); addresses and pieces of bodies are in the `cause`, for the log.
 */
export class Upstream {
  readonly #deps: UpstreamDeps
  readonly #base: string
  readonly #tokenHeader: string
  readonly #ownHeaders: Readonly<Record<string, string>>
  readonly #texts = new DocumentTexts()

  constructor(deps: UpstreamDeps) {
    this.#deps = deps
    this.#base = deps.url.replace(/\/+$/, '').replace(/\/features$/, '')
    this.#tokenHeader = (deps.tokenHeader ?? 'authorization').toLowerCase()
    this.#ownHeaders = Object.fromEntries(
      Object.entries(deps.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    )
  }

  /** `GET /client/features?query`, with the tag of the configuration in use. */
  async download(query: URLSearchParams, etag: string | undefined): Promise<Download> {
    const search = query.size === 0 ? '' : `?${query}`
    const path = '/client/features'
    const response = await this.#fetch(`${this.#base}${path}${search}`, {
      method: 'GET',
      headers: {
        ...this.#headers(this.#deps.refreshIntervalMs),
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
      // by default fetch adds "Cache-Control: no-cache" to a condition, and many servers then never answer 304
      cache: 'force-cache',
    })
    if (response.status === 304) {
      this.#announce(response)
      return { changed: false }
    }
    if (response.status !== 200) throw await this.#refusal(response, path)
    const body = await this.#parse(await read(response))
    this.#announce(response)
    return { changed: true, body, etag: response.headers.get('etag') ?? undefined }
  }

  /**
   * `GET /client/streaming`: the reply once its head is there, whatever its status. It is not compressed, and goes on until
   * the signal. Source: wire protocol "Streaming and delta"
   *
   * @param withTokenChanges asks a Burgee upstream for changes of tokens; others ignore it
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

  /** What the message of a stream means; items that were there before are the same objects. Rejects where it is no JSON. */
  async readMessage(text: string): Promise<unknown> {
    if (!text.startsWith(HYDRATION) || !text.endsWith(']}')) return this.#parse(text)
    try {
      return { events: [await this.#texts.read(text.slice(EVENTS.length, -']}'.length))] }
    } catch {
      // further events follow it
      return this.#parse(text)
    }
  }

  #announce({ headers }: Response): void {
    this.#deps.onProfile?.(headers.get(PROFILE_HEADER))
  }

  async #parse(text: string): Promise<unknown> {
    try {
      return await this.#texts.read(text)
    } catch (cause) {
      throw new Error(`The answer of the upstream is not JSON${this.#hint(404)}`, { cause })
    }
  }

  async #refusal(response: Response, path: string): Promise<UpstreamError> {
    await response.body?.cancel()
    return new UpstreamError(response.status, path, this.#hint(response.status), askedWaitMs(response))
  }

  /** What to check first. Nothing of the address itself, for everybody may read it. */
  #hint(status: number): string {
    if (status === 401 || status === 403) return `: check ${this.#deps.optionNames.token}`
    if (status !== 404 || /\/api$/i.test(new URL(this.#base).pathname)) return ''
    return ': does the address lack /api?'
  }

  /** `POST` of JSON; any 2xx is success. */
  async post(path: ReportPath, body: unknown): Promise<void> {
    const headers = { ...this.#headers(this.#deps.metricsIntervalMs), 'content-type': 'application/json' }
    const response = await this.#fetch(`${this.#base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw await this.#refusal(response, path)
    await response.body?.cancel()
  }

  /** `POST /edge/validate`, which stands beside `/api` and takes no token: what the JSON of a 200 means. */
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
      throw new UpstreamError(response.status, path, '', askedWaitMs(response))
    }
    return this.#parse(await read(response))
  }

  /** Follows redirects as `allowedRedirect` says, with method, headers and body. Throws for any other. */
  async #fetch(url: string, init: RequestInit): Promise<Response> {
    let at = url
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const response = await this.#fetchOne(at, init)
      const location = response.headers.get('location')
      if (location === null || !REDIRECTS[init.method ?? 'GET']?.has(response.status)) return response
      await response.body?.cancel()
      const next = allowedRedirect(at, location)
      if (next === undefined) throw redirected(response.status, originOf(at, location), this.#deps.optionNames.url)
      at = next.href
    }
    throw new Error('The upstream redirects again and again')
  }

  async #fetchOne(url: string, init: RequestInit): Promise<Response> {
    const { dispatcher, timeoutMs } = this.#deps
    try {
      const signal = init.signal ?? AbortSignal.timeout(timeoutMs)
      return await fetchAnyPort(url, { ...init, dispatcher, signal })
    } catch (cause) {
      throw failure(cause)
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

/** Decoded: what is small on the wire may be huge behind its encoding. */
async function read(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength
      // leaving the loop ends the download
      if (length > MOST_BYTES) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw failure(cause)
  }
  if (length > MOST_BYTES) throw new Error(`The answer of the upstream is larger than ${MOST_BYTES} bytes`)
  return new TextDecoder().decode(Buffer.concat(chunks, length))
}

function redirected(status: number, origin: string, option: string): Error {
  const message = `The upstream redirects to another host, which is not followed; name its new address by ${option}`
  return new Error(message, { cause: `${status} to ${origin}` })
}

function failure(cause: unknown): Error {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return new Error('The upstream took too long', { cause })
  }
  const code = codeOf(cause)
  return new Error(`The request to the upstream failed${code === undefined ? '' : `: ${code}`}`, { cause })
}
