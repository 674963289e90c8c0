import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Request that is sent verbatim to both proxies. */
export interface PeerRequest {
  readonly method: string
  /** Path and query, sent verbatim. */
  readonly path: string
  /** In order. Names may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
}

/** Reply of a proxy. */
export interface Answer {
  readonly status: number
  /** Keyed by lower-case name. Repeated headers are joined. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded body. */
  readonly body: string
}

const LIMIT_MS = 20_000

/** Sends requests to one proxy over keep-alive connections. Adds only the headers Host and Content-Length. */
export class Exchange {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })

  constructor(url: string) {
    this.#url = new URL(url)
  }

  /** Sends a request. Rejects if there is no reply within the time limit. */
  send({ method, path, headers, body }: PeerRequest): Promise<Answer> {
    const length: [string, string][] = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))]]
    const all = [['Host', this.#url.host] as const, ...headers, ...length]
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url
      const options = { agent: this.#agent, hostname, port, method, path, headers: all.flat(), setHost: false }
      const outgoing = request({ ...options, signal: AbortSignal.timeout(LIMIT_MS) }, (incoming) => {
        read(incoming).then(resolve, reject)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /**
   * Sends a request. `{etag}` in the headers is replaced with the ETag that this proxy returns for the request without
   * the condition, and `{strong}` with the strong form of this ETag.
   */
  async play(request: PeerRequest): Promise<Answer> {
    if (!request.headers.some(([, value]) => /\{(etag|strong)\}/.test(value))) return this.send(request)
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'if-none-match')
    const { etag = '' } = (await this.send({ ...request, headers })).headers
    const fill = (value: string) => value.replace('{etag}', etag).replace('{strong}', etag.replace(/^W\//, ''))
    return this.send({ ...request, headers: request.headers.map(([name, value]) => [name, fill(value)] as const) })
  }

  close(): void {
    this.#agent.destroy()
  }
}

async function read(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value)
  const body = decode(Buffer.concat(chunks), headers['content-encoding'])
  return { status: incoming.statusCode ?? 0, headers, body: body.toString('utf8') }
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'gzip') return gunzipSync(body)
  if (encoding === 'deflate') return inflateSync(body)
  return body
}
