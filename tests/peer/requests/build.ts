import type { PeerRequest } from '../exchange.ts'

/** Request settings of a configuration. */
export interface Target {
  /** Base path: '' or '/base'. */
  readonly base: string
  readonly keyHeader: string
}

/** Request without the settings of a configuration. */
export interface Draft {
  readonly method: string
  /** Path below the base path. Paths that start with `!` are sent verbatim. */
  readonly path: string
  /** Client key, or null to send none. */
  readonly key: string | null
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
}

/** Optional parts of a draft. */
export interface Extras {
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export const CLIENT_KEY = 'k1'
export const SERVER_TOKEN = 's1'
export const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Creates a request without a body. */
export function ask(call: string, { key = CLIENT_KEY, headers = {} }: Extras = {}): Draft {
  const space = call.indexOf(' ')
  const [method, path] = space < 0 ? ['GET', call] : [call.slice(0, space), call.slice(space + 1)]
  return { method, path, key, headers: Object.entries(headers) }
}

/** Creates a `POST` of JSON. Strings are sent verbatim. */
export function post(path: string, body: unknown, { key = CLIENT_KEY, headers = JSON_TYPE }: Extras = {}): Draft {
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return { method: 'POST', path, key, headers: Object.entries(headers), body: sent }
}

/** Creates the request for a configuration. */
export function aim(draft: Draft, { base, keyHeader }: Target): PeerRequest {
  const { method, path, key, headers, body } = draft
  return {
    method,
    path: path.startsWith('!') ? path.slice(1) : `${base}${path}`,
    headers: [...(key === null ? [] : [[keyHeader, key] as const]), ...headers],
    ...(body === undefined ? {} : { body }),
  }
}
