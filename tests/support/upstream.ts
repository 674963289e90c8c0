import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Request that the upstream received. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Fake upstream that records its requests and sends the replies that the test specifies. */
export interface FakeUpstream {
  readonly url: string
  readonly seen: SeenRequest[]
  /** Replaces the configuration and its ETag. */
  serve(document: unknown): void
  /** Handles all requests with this function. With undefined, the upstream serves the configuration again. */
  answerWith(answer: ((request: SeenRequest, response: ServerResponse) => void) | undefined): void
  close(): Promise<void>
}

/** Starts an upstream on a free loopback port. */
export async function startUpstream(document: unknown = { version: 2, features: [] }): Promise<FakeUpstream> {
  let body = JSON.stringify(document)
  let revision = 1
  let answer: ((request: SeenRequest, response: ServerResponse) => void) | undefined
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const sent = await readAll(request)
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: sent }
    seen.push(one)
    if (answer !== undefined) return answer(one, response)
    if (request.method === 'POST') return void response.writeHead(202).end()
    const etag = `"${revision}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'application/json', etag }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api`,
    seen,
    serve: (next) => {
      body = JSON.stringify(next)
      revision += 1
    },
    answerWith: (next) => {
      answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
