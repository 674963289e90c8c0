import type { PeerRequest } from '../exchange.ts'

/** Where and with what a configuration wants to be asked. */
export interface Target {
  /** Path below which everything is: '' or '/base'. */
  readonly base: string
  readonly keyHeader: string
}

/** A request before it is known which configuration plays it. */
export interface Draft {
  readonly method: string
  /** Below the base path, but for paths that begin with `!`, which are sent as they stand. */
  readonly path: string
  /** The client key; null sends none. */
  readonly key: string | null
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
}

/** What a draft may say besides method and path. */
export interface Extras {
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export const CLIENT_KEY = 'k1'
export const SERVER_TOKEN = 's1'
export const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A request without a body. */
export function ask(call: string, { key = CLIENT_KEY, headers = {} }: Extras = {}): Draft {
  const space = call.indexOf(' ')
  const [method, path] = space < 0 ? ['GET', call] : [call.slice(0, space), call.slice(space + 1)]
  return { method, path, key, headers: Object.entries(headers) }
}

/** A `POST` of JSON; a text is sent as it is. */
export function post(path: string, body: unknown, { key = CLIENT_KEY, headers = JSON_TYPE }: Extras = {}): Draft {
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  return { method: 'POST', path, key, headers: Object.entries(headers), body: sent }
}

/** The request for a configuration. */
export function aim(draft: Draft, { base, keyHeader }: Target): PeerRequest {
  const { method, path, key, headers, body } = draft
  return {
    method,
    path: path.startsWith('!') ? path.slice(1) : `${base}${path}`,
    headers: [...(key === null ? [] : [[keyHeader, key] as const]), ...headers],
    ...(body === undefined ? {} : { body }),
  }
}
