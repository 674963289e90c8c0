import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Request received. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Receiver of events that listens on a separate port. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Returns the maximum number of concurrent requests. */
  readonly mostAtOnce: () => number
  /** Sets the reply to further requests, which is 200 by default. */
  answer: (response: ServerResponse, one: Received) => void
  /** Returns the ids of the received events in order. */
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
