import { setTimeout as sleep } from 'node:timers/promises'
import { getBackoffMs } from '@burgee/kit/backoff'
import { followAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import { SourceRefused } from '../model/source.ts'

/** Settings for requests to any source. */
export interface RequestSettings {
  /** Minimum time between two requests, in milliseconds. */
  readonly pauseMs: number
  /** Signal that aborts the pauses between requests. */
  readonly ending?: AbortSignal
  /**
   * Function that sends requests instead of `fetch`. A SourceRefused error thrown by this function is passed on
   * unchanged.
   */
  readonly send?: (url: string, request: SourceRequest & { readonly signal: AbortSignal }) => Promise<SourceReply>
}

/** A request to a source. */
export interface SourceRequest {
  readonly method?: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** A response of a source, as `fetch` returns it. */
export type SourceReply = Pick<Response, 'status' | 'ok'> & {
  readonly headers: Pick<Headers, 'get'>
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null
}

/** Base address of a server, and its description in messages ("an Unleash server"). */
export interface SourceServer extends RequestSettings {
  readonly base: string
  readonly kind: string
}

const LIMIT_MS = 60_000
const MAX_BODY_BYTES = 256 * 1024 * 1024
const MAX_ATTEMPTS = 5
const WAITS = { firstMs: 500, maxMs: 60_000 }
const BUSY = new Set([429, 502, 503, 504])
const MS_PER_SECOND = 1000

/** Client of one server that sends one request at a time, with a pause in between. Retries while the server is busy. */
export class ThrottledHttp {
  readonly #server: SourceServer
  #lastMs = 0

  constructor(server: SourceServer) {
    this.#server = server
  }

  /**
   * Sends a request and returns the response. Retries while the server is busy, and returns the last response if the
   * server stays busy. Throws SourceRefused if the server cannot be reached.
   */
  async request(path: string, request: SourceRequest): Promise<SourceReply> {
    for (let tries = 1; ; tries += 1) {
      await this.#pause(path)
      const reply = await this.#send(path, request)
      if (!BUSY.has(reply.status) || tries >= MAX_ATTEMPTS) return reply
      await reply.body?.cancel()
      await this.#wait(path, getWaitMs(reply.headers.get('retry-after'), tries))
    }
  }

  /** Returns the parsed body of a response. Throws SourceRefused if the body is not JSON or is too large. */
  async json(path: string, reply: SourceReply): Promise<unknown> {
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of reply.body ?? []) {
      bytes += piece.byteLength
      if (bytes > MAX_BODY_BYTES)
        throw new SourceRefused(`The response of ${this.formatAddress(path)} is larger than ${MAX_BODY_BYTES} bytes`)
      pieces.push(piece)
    }
    try {
      return JSON.parse(Buffer.concat(pieces).toString('utf8'))
    } catch {
      throw new SourceRefused(`${this.formatAddress(path)} did not return JSON: is it ${this.#server.kind}?`)
    }
  }

  /** Returns the address to show in messages, without the query. */
  formatAddress(path: string): string {
    return `${this.#server.base}${path.replace(/\?.*$/, '')}`
  }

  async #send(path: string, request: SourceRequest): Promise<SourceReply> {
    try {
      const { send = followAnyPort, base } = this.#server
      return await send(`${base}${path}`, { ...request, signal: AbortSignal.timeout(LIMIT_MS) })
    } catch (error) {
      if (error instanceof SourceRefused) throw error
      const { code } = ((error as Error).cause ?? error) as { code?: string }
      throw new SourceRefused(`${this.formatAddress(path)} cannot be reached (${code ?? (error as Error).name})`)
    }
  }

  async #pause(path: string): Promise<void> {
    const restMs = this.#lastMs + this.#server.pauseMs - performance.now()
    if (restMs > 0) await this.#wait(path, restMs)
    this.#lastMs = performance.now()
  }

  async #wait(path: string, ms: number): Promise<void> {
    const { ending } = this.#server
    try {
      await sleep(ms, undefined, ending === undefined ? {} : { signal: ending })
    } catch {
      throw new SourceRefused(`${this.formatAddress(path)} is still rate-limited; giving up`)
    }
  }
}

function getWaitMs(retryAfter: string | null, tries: number): number {
  const requested = Number(retryAfter) * MS_PER_SECOND
  return Number.isFinite(requested) && requested > 0 ? Math.min(WAITS.maxMs, requested) : getBackoffMs(WAITS, tries)
}
