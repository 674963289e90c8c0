import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Complete reply of the server behind the relay. */
export interface RelayedReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** Modifies, delays or drops a reply. `pass` sends a reply unchanged. */
export type Spoil = (
  reply: RelayedReply,
  response: ServerResponse,
  pass: (reply: RelayedReply) => void,
) => void | Promise<void>

/**
 * HTTP relay that reads complete replies and can tamper with them. The relay passes streams through unless their path
 * is being tampered with.
 */
export interface HttpRelay {
  readonly url: string
  /** Requested paths, in order. */
  readonly asked: string[]
  /** From now on, tampers with replies whose path matches. With undefined, stops tampering and cuts open streams. */
  spoil(paths: RegExp, spoil: Spoil | undefined): void
  /** Routes further requests to another server, whose base URL is given. */
  lead(base: string): void
  close(): Promise<void>
}

/** Opens a relay in front of a server. */
export async function openHttpRelay(first: string): Promise<HttpRelay> {
  let base = first
  let rule: { readonly paths: RegExp; readonly spoil: Spoil } | undefined
  const asked: string[] = []
  const streams = new Set<ServerResponse>()
  const server = createServer((message, response) => {
    const { method, url = '', headers } = message
    asked.push(url)
    const { host: _host, connection: _connection, ...others } = headers
    const spoil = rule?.paths.test(url) === true ? rule.spoil : undefined
    const origin = base
    const forwarded = request(`${base}${url}`, { method, headers: others, agent: false }, (from) => {
      // a stream that was requested before a switch must not remain open after it
      if (origin !== base) return void response.destroy()
      if (spoil !== undefined) return void spoiled(from, response, spoil)
      response.writeHead(from.statusCode ?? 502, from.headers)
      streams.add(response)
      response.on('close', () => streams.delete(response))
      from.on('error', () => response.destroy())
      from.pipe(response)
    })
    forwarded.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.on('close', () => forwarded.destroy())
    message.pipe(forwarded)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = () => {
    for (const stream of streams) stream.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    spoil: (paths, spoil) => {
      rule = spoil === undefined ? undefined : { paths, spoil }
      cut()
    },
    lead: (next) => {
      base = next
      cut()
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/**
 * Applies `spoil` to a reply. The end of a stream never comes, so its reply has an empty body and is complete once its
 * head has arrived.
 */
async function spoiled(from: IncomingMessage, response: ServerResponse, spoil: Spoil): Promise<void> {
  const isStream = from.headers['content-type'] === 'text/event-stream'
  const body = isStream ? Buffer.alloc(0) : await readAll(from)
  if (isStream) from.destroy()
  const pass = (reply: RelayedReply) => {
    const { 'transfer-encoding': _chunked, 'content-length': _length, ...headers } = reply.headers
    response.writeHead(reply.status, headers).end(reply.body)
  }
  await spoil({ status: from.statusCode ?? 502, headers: from.headers, body }, response, pass)
}

async function readAll(from: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of from) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
