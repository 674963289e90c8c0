import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver on a port of its own. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Most requests that were under way at a time. */
  readonly mostAtOnce: () => number
  /** How the next requests are answered; 200 at first. */
  answer: (response: ServerResponse, one: Received) => void
  /** Ids of the events that came, in their order. */
  readonly ids: () => number[]
  close(): Promise<void>
}

/** Starts a receiver on 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  let [now, most] = [0, 0]
  const received: Received[] = []
  const receiver: Receiver = {
    url: '',
    received,
    mostAtOnce: () => most,
    answer: (response) => void response.end('ok'),
    ids: () => received.map(({ body }) => Number(JSON.parse(body).id)),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  const server = createServer(async (request, response) => {
    now += 1
    most = Math.max(most, now)
    response.on('close', () => {
      now -= 1
    })
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const one = { path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    receiver.answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}` })
}
