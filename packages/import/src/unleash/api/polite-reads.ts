import { setTimeout as sleep } from 'node:timers/promises'
import { SourceRefused } from '../../model/source.ts'

/** Where an API is, and as whom it is asked. */
export interface ApiPlace {
  /** Address of the server, with or without `/api`. */
  readonly url: string
  /** Sent in `authorization`, and nowhere else. */
  readonly token: string
  /** The least time between two requests. */
  readonly pauseMs: number
  /** Ends the waits between requests. */
  readonly ending?: AbortSignal
  /** Sends requests in the place of `fetch`; what it throws as SourceRefused is told. */
  readonly send?: (url: string, request: RequestInit) => Promise<Response>
}

const LIMIT_MS = 60_000
const MOST_BYTES = 256 * 1024 * 1024
const MOST_TRIES = 5
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
const BUSY = new Set([429, 502, 503, 504])
const REFUSED = new Set([401, 403])
const MS_PER_SECOND = 1000
/** Segments come once for all, and are named by number. */
const CLIENT_SPEC = '5.2.0'

/** Reads of one API, one after the other with a pause between them; a server that is busy is asked again later. */
export class PoliteReads {
  readonly #place: ApiPlace
  readonly #base: string
  #lastMs = 0

  constructor(place: ApiPlace) {
    this.#place = place
    const url = new URL(place.url)
    this.#base = `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}/api`
  }

  /** The JSON below `/api/admin`; throws SourceRefused for every answer but success. */
  async get(path: string): Promise<unknown> {
    const found = await this.find(path)
    if (found === undefined)
      throw new SourceRefused(`${this.#shown(`/admin${path}`)} answered 404: is it an Unleash server?`)
    return found
  }

  /** The same; undefined where there is nothing of that kind. */
  async find(path: string): Promise<unknown> {
    return this.#ask(path, undefined)
  }

  /** The same for searches, which are sent in a body. */
  async search(path: string, body: object): Promise<unknown> {
    return this.#ask(path, body)
  }

  /** What a token of SDKs downloads; undefined where the token opens nothing. */
  async download(token: string): Promise<unknown> {
    const headers = { accept: 'application/json', authorization: token, 'unleash-client-spec': CLIENT_SPEC }
    const path = '/client/features'
    const reply = await this.#patiently(path, { headers: { ...headers, 'user-agent': 'burgee' } })
    if (reply.ok) return this.#json(path, reply)
    await reply.body?.cancel()
    if (REFUSED.has(reply.status)) return undefined
    throw new SourceRefused(this.#refusal(path, reply.status))
  }

  async #ask(below: string, body: object | undefined): Promise<unknown> {
    const path = `/admin${below}`
    const headers = { accept: 'application/json', authorization: this.#place.token, 'user-agent': 'burgee' }
    const request: RequestInit =
      body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, method: 'POST', body: JSON.stringify(body) }
    const reply = await this.#patiently(path, request)
    if (reply.ok) return this.#json(path, reply)
    await reply.body?.cancel()
    if (reply.status === 404) return undefined
    throw new SourceRefused(this.#refusal(path, reply.status))
  }

  /** The answer, of a server that is busy the one after some waits. */
  async #patiently(path: string, request: RequestInit): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      await this.#pause(path)
      const reply = await this.#send(path, request)
      if (!BUSY.has(reply.status) || tries >= MOST_TRIES) return reply
      await reply.body?.cancel()
      await this.#wait(path, waitMs(reply.headers.get('retry-after'), tries))
    }
  }

  async #send(path: string, request: RequestInit): Promise<Response> {
    try {
      const { send = fetch } = this.#place
      return await send(`${this.#base}${path}`, { ...request, signal: AbortSignal.timeout(LIMIT_MS) })
    } catch (error) {
      if (error instanceof SourceRefused) throw error
      const { code } = ((error as Error).cause ?? error) as { code?: string }
      throw new SourceRefused(`${this.#shown(path)} cannot be reached (${code ?? (error as Error).name})`)
    }
  }

  async #pause(path: string): Promise<void> {
    const restMs = this.#lastMs + this.#place.pauseMs - performance.now()
    if (restMs > 0) await this.#wait(path, restMs)
    this.#lastMs = performance.now()
  }

  async #wait(path: string, ms: number): Promise<void> {
    const { ending } = this.#place
    try {
      await sleep(ms, undefined, ending === undefined ? {} : { signal: ending })
    } catch {
      throw new SourceRefused(`${this.#shown(path)} is busy for longer than is waited for`)
    }
  }

  async #json(path: string, reply: Response): Promise<unknown> {
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of reply.body ?? []) {
      bytes += piece.byteLength
      if (bytes > MOST_BYTES)
        throw new SourceRefused(`The answer of ${this.#shown(path)} is larger than ${MOST_BYTES} bytes`)
      pieces.push(piece)
    }
    try {
      return JSON.parse(Buffer.concat(pieces).toString('utf8'))
    } catch {
      throw new SourceRefused(`${this.#shown(path)} answers no JSON: is it an Unleash server?`)
    }
  }

  #refusal(path: string, status: number): string {
    const hint = REFUSED.has(status) ? ': give an admin token, or a personal token of an administrator' : ''
    return `${this.#shown(path)} answered ${status}${hint}`
  }

  #shown(path: string): string {
    return `${this.#base}${path.replace(/\?.*$/, '')}`
  }
}

function waitMs(retryAfter: string | null, tries: number): number {
  const asked = Number(retryAfter) * MS_PER_SECOND
  const own = FIRST_WAIT_MS * 2 ** (tries - 1)
  return Math.min(LONGEST_WAIT_MS, Number.isFinite(asked) && asked > 0 ? asked : own)
}
