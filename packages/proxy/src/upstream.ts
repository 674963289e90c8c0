import { type Dispatcher, fetch } from 'undici'

/** How the proxy presents itself upstream. */
export interface UpstreamIdentity {
  readonly appName: string
  readonly instanceId: string
  readonly connectionId: string
  readonly sdkVersion: string
}

/** What an upstream client needs. */
export interface UpstreamDeps {
  readonly url: string
  /** Read for each request, as it may be replaced while running. */
  readonly token: () => string
  readonly identity: UpstreamIdentity
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  readonly refreshIntervalMs: number
  readonly metricsIntervalMs: number
}

/** The upstream answered, but not with what was asked for. */
export class UpstreamError extends Error {
  readonly status: number
  constructor(status: number, path: string) {
    super(`The upstream answered ${status} to ${path}`)
    this.name = 'UpstreamError'
    this.status = status
  }
}

/** A new configuration as it came, or the news that nothing changed. */
export type Download =
  | { readonly changed: false }
  | { readonly changed: true; readonly body: unknown; readonly etag: string | undefined }

/** The client-feature specification level the proxy announces: segments are sent by id from 4.2.0 on. */
export const CLIENT_SPEC = '5.2.0'

/** HTTP to the upstream service. Every failure is thrown: UpstreamError for a status, any Error for the rest. */
export class Upstream {
  readonly #deps: UpstreamDeps
  readonly #base: string

  constructor(deps: UpstreamDeps) {
    this.#deps = deps
    this.#base = deps.url.replace(/\/+$/, '').replace(/\/features$/, '')
  }

  /** `GET /client/features?query`, with the tag of the configuration in use. */
  async download(query: URLSearchParams, etag: string | undefined): Promise<Download> {
    const search = query.size === 0 ? '' : `?${query}`
    const { refreshIntervalMs, timeoutMs, dispatcher } = this.#deps
    const condition = etag === undefined ? {} : { 'if-none-match': etag }
    const path = '/client/features'
    const response = await fetch(`${this.#base}${path}${search}`, {
      headers: { ...this.#headers(refreshIntervalMs), ...condition },
      signal: AbortSignal.timeout(timeoutMs),
      dispatcher,
      // by default fetch adds "Cache-Control: no-cache" to a condition, and many servers then never answer 304
      cache: 'force-cache',
    })
    if (response.status === 304) return { changed: false }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new UpstreamError(response.status, path)
    }
    const body: unknown = await response.json()
    return { changed: true, body, etag: response.headers.get('etag') ?? undefined }
  }

  /** `POST` of JSON; any 2xx is success. */
  async post(path: '/client/register' | '/client/metrics', body: unknown): Promise<void> {
    const response = await fetch(`${this.#base}${path}`, {
      method: 'POST',
      headers: { ...this.#headers(this.#deps.metricsIntervalMs), 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(this.#deps.timeoutMs),
      dispatcher: this.#deps.dispatcher,
    })
    await response.body?.cancel()
    if (!response.ok) throw new UpstreamError(response.status, path)
  }

  #headers(intervalMs: number): Record<string, string> {
    const { identity } = this.#deps
    return {
      authorization: this.#deps.token(),
      accept: 'application/json',
      'user-agent': identity.appName,
      'unleash-appname': identity.appName,
      'unleash-instanceid': identity.instanceId,
      'unleash-connection-id': identity.connectionId,
      'unleash-sdk': identity.sdkVersion,
      'unleash-client-spec': CLIENT_SPEC,
      'unleash-interval': String(intervalMs),
    }
  }
}
