import { type AskingManner, PatientRequests, type SourceRequest } from '../../asking/patient-requests.ts'
import { SourceRefused } from '../../model/source.ts'

/** Address and credentials of an API. */
export interface ApiPlace extends AskingManner {
  /** Address of the server, with or without `/api`. */
  readonly url: string
  /** Sent only in the `authorization` header. */
  readonly token: string
}

const REFUSED = new Set([401, 403])
/** Requests segments once and by id, rather than inlined. */
const CLIENT_SPEC = '5.2.0'

/** Read-only client of one API. */
export class PoliteReads {
  readonly #token: string
  readonly #requests: PatientRequests

  constructor({ url: address, token, ...manner }: ApiPlace) {
    const url = new URL(address)
    this.#token = token
    const base = `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}/api`
    this.#requests = new PatientRequests({ ...manner, base, kind: 'an Unleash server' })
  }

  /** Returns the JSON of a path below `/api/admin`. Throws SourceRefused if the response is not a success. */
  async get(path: string): Promise<unknown> {
    const found = await this.find(path)
    if (found === undefined)
      throw new SourceRefused(`${this.#requests.shown(`/admin${path}`)} answered 404: is it an Unleash server?`)
    return found
  }

  /** Returns the JSON of a path, or undefined for a 404. */
  async find(path: string): Promise<unknown> {
    return this.#ask(path, undefined)
  }

  /** Sends a search in a request body. Returns the JSON of the response, or undefined for a 404. */
  async search(path: string, body: object): Promise<unknown> {
    return this.#ask(path, body)
  }

  /** Returns what an SDK token downloads, or undefined if the token is rejected. */
  async download(token: string): Promise<unknown> {
    const headers = { accept: 'application/json', authorization: token, 'unleash-client-spec': CLIENT_SPEC }
    const path = '/client/features'
    const reply = await this.#requests.ask(path, { headers: { ...headers, 'user-agent': 'burgee' } })
    if (reply.ok) return this.#requests.json(path, reply)
    await reply.body?.cancel()
    if (REFUSED.has(reply.status)) return undefined
    throw new SourceRefused(this.#refusal(path, reply.status))
  }

  async #ask(below: string, body: object | undefined): Promise<unknown> {
    const path = `/admin${below}`
    const headers = { accept: 'application/json', authorization: this.#token, 'user-agent': 'burgee' }
    const request: SourceRequest =
      body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, method: 'POST', body: JSON.stringify(body) }
    const reply = await this.#requests.ask(path, request)
    if (reply.ok) return this.#requests.json(path, reply)
    await reply.body?.cancel()
    if (reply.status === 404) return undefined
    throw new SourceRefused(this.#refusal(path, reply.status))
  }

  #refusal(path: string, status: number): string {
    const hint = REFUSED.has(status) ? ': give an admin token, or a personal token of an administrator' : ''
    return `${this.#requests.shown(path)} answered ${status}${hint}`
  }
}
