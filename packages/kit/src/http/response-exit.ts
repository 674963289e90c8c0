import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLong, writeInParts } from '../streams/long-body.ts'
import type { Outlet } from '../streams/outlet.ts'
import { ResponseOutlet } from '../streams/response-outlet.ts'
import type { Connections } from './connections.ts'
import type { Exit, Sent } from './exchange.ts'
import { type HeaderBlock, ownHeaders } from './header-block.ts'
import type { Outgoing } from './outgoing.ts'
import { isDiscarded } from './request-body.ts'

/**
 * Replies to requests that an HTTP server has read, this app's own or another. What a client that reads slowly has not
 * taken yet is kept, as everywhere, by its connection.
 */
export class ResponseExit implements Exit {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #connections: Connections

  constructor(request: IncomingMessage, response: ServerResponse, connections: Connections) {
    this.#request = request
    this.#response = response
    this.#connections = connections
  }

  get isGone(): boolean {
    return this.#response.closed || this.#response.destroyed
  }

  send(block: HeaderBlock, outgoing: Outgoing, sent: Sent | undefined): void {
    const { status, body, loan } = outgoing
    const request = this.#request
    const response = this.#response
    if (response.closed) {
      loan?.giveBack()
      return
    }
    // when all of it is with the operating system, or the connection is closed
    if (loan !== undefined) response.once('close', () => loan.giveBack())
    const { socket } = response
    // Node 22 calls a reply finished that its client did not wait for
    if (sent !== undefined) response.once('finish', () => socket?.destroyed || sent(status))
    const isLast = this.#connections.isDraining || (!request.complete && !isDiscarded(request))
    if (isLast) response.shouldKeepAlive = false
    response.writeHead(status, [...block.list, ...ownHeaders(block, outgoing, request.method ?? '')])
    const wrote = () => socket && this.#connections.wrote(socket, body)
    if (isLong(body) && request.method !== 'HEAD') {
      writeInParts(response, body, { waits: wrote, done: () => response.end() })
      return
    }
    response.end(body)
    wrote()
  }

  open(block: HeaderBlock, opened: (outlet: Outlet) => void, sent: Sent | undefined): void {
    const request = this.#request
    const response = this.#response
    if (response.closed || response.destroyed) return
    const isHead = request.method === 'HEAD'
    const head = { status: 200, etag: undefined, coding: undefined, body: undefined }
    // the body has no length but the end of the connection, or of its chunks
    response.shouldKeepAlive = false
    response.writeHead(200, [...block.list, ...ownHeaders(block, head, 'HEAD')])
    sent?.(200)
    if (isHead) {
      response.end()
      return
    }
    response.flushHeaders()
    if (response.socket) this.#connections.streams(response.socket)
    opened(new ResponseOutlet(response, this.#connections))
  }

  giveUp(): void {
    if (this.#response.headersSent) this.#response.destroy()
    else this.#response.writeHead(500, { 'content-length': '0' }).end()
  }
}
