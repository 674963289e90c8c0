import { type RequestSettings, type SourceRequest, ThrottledHttp } from '../../http/throttled-http.ts'
import { SourceRefused } from '../../model/source.ts'

/** Address and credentials of an API. */
export interface UnleashApi extends RequestSettings {
  /** Address of the server, with or without `/api`. */
  readonly url: string
  /** Token of the API, which is sent only in the `authorization` header. */
  readonly token: string
}

const REFUSED = new Set([401, 403])
/**
 * Client specification version that is sent to the server, so that the response lists each segment once and strategies
 * refer to segments by id.
 */
const CLIENT_SPEC = '5.2.0'

/** Read-only client of one API. */
export class UnleashClient {
  readonly #token: string
  readonly #http: ThrottledHttp

  constructor({ url: address, token, ...manner }: UnleashApi) {
    const url = new URL(address)
    this.#token = token
    const base = `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}/api`
    this.#http = new ThrottledHttp({ ...manner, base, kind: 'an Unleash server' })
  }

  /** Returns the JSON of a path below `/api/admin`. Throws SourceRefused if the response has an error status. */
  async get(path: string): Promise<unknown> {
    const found = await this.find(path)
    if (found === undefined)
      throw new SourceRefused(`${this.#http.formatAddress(`/admin${path}`)} answered 404: is it an Unleash server?`)
    return found
  }

  /** Returns the JSON of a path, or undefined if the response is 404. */
  async find(path: string): Promise<unknown> {
    return this.#request(path, undefined)
  }

  /** Sends a search in a request body. Returns the JSON of the response, or undefined if it is 404. */
  async search(path: string, body: object): Promise<unknown> {
    return this.#request(path, body)
  }

  /** Returns the download of an SDK token, or undefined if the token is rejected. */
  async download(token: string): Promise<unknown> {
    const headers = { accept: 'application/json', authorization: token, 'unleash-client-spec': CLIENT_SPEC }
    const path = '/client/features'
    const reply = await this.#http.request(path, { headers: { ...headers, 'user-agent': 'burgee' } })
    if (reply.ok) return this.#http.json(path, reply)
    await reply.body?.cancel()
    if (REFUSED.has(reply.status)) return undefined
    throw new SourceRefused(this.#refusal(path, reply.status))
  }

  async #request(below: string, body: object | undefined): Promise<unknown> {
    const path = `/admin${below}`
    const headers = { accept: 'application/json', authorization: this.#token, 'user-agent': 'burgee' }
    const request: SourceRequest =
      body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, method: 'POST', body: JSON.stringify(body) }
    const reply = await this.#http.request(path, request)
    if (reply.ok) return this.#http.json(path, reply)
    await reply.body?.cancel()
    if (reply.status === 404) return undefined
    throw new SourceRefused(this.#refusal(path, reply.status))
  }

  #refusal(path: string, status: number): string {
    const hint = REFUSED.has(status) ? ': give an admin token, or a personal token of an administrator' : ''
    return `${this.#http.formatAddress(path)} answered ${status}${hint}`
  }
}
