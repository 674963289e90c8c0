import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outlet } from '../streams/outlet.ts'
import { ResponseOutlet } from '../streams/response-outlet.ts'
import type { Connections } from './connections.ts'
import type { Exit, OwnersProvider, SentCallback } from './exchange.ts'
import { buildBodyHeaders, type HeaderBlock } from './header-block.ts'
import type { OutgoingReply } from './outgoing.ts'
import { isDiscarded } from './request-body.ts'

/** Objects that an exit needs in addition to the response. */
export interface ExitDeps {
  readonly connections: Connections
  /** True if the client waits for 100 Continue before it sends the body. */
  readonly isContinueExpected: boolean
}

/**
 * Time in milliseconds for which the rest of a request body is read after the reply was sent. If the connection were
 * closed earlier, the reply might not reach the client.
 */
const LINGER_MS = 2_000

/**
 * Exit for requests that an HTTP server has read, whether the server of this app or another server. Bytes that are not
 * yet sent are charged to the connection.
 */
export class ResponseExit implements Exit {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #connections: Connections

  readonly #isContinueExpected: boolean

  constructor(request: IncomingMessage, response: ServerResponse, { connections, isContinueExpected }: ExitDeps) {
    this.#request = request
    this.#response = response
    this.#connections = connections
    this.#isContinueExpected = isContinueExpected
  }

  expectBody(): void {
    if (this.#isContinueExpected && !this.#response.headersSent) this.#response.writeContinue()
  }

  get isGone(): boolean {
    return this.#response.closed || this.#response.destroyed
  }

  send(block: HeaderBlock, outgoing: OutgoingReply, sent: SentCallback | undefined, from: OwnersProvider): void {
    const { status, body, loan } = outgoing
    const request = this.#request
    const response = this.#response
    if (response.closed) {
      loan?.release()
      return
    }
    // 'close' is emitted once the operating system has accepted the whole reply, or if the connection is closed first
    if (loan !== undefined) response.once('close', () => loan.release())
    const { socket } = response
    // Node 22 emits 'finish' even if the client has disconnected
    if (sent !== undefined) response.once('finish', () => socket?.destroyed || sent(status))
    const isUnread = !request.complete && isDiscarded(request)
    if (this.#connections.isDraining || (!request.complete && !isUnread)) response.shouldKeepAlive = false
    response.writeHead(status, [...block.list, ...buildBodyHeaders(block, outgoing, request.method ?? '')])
    if (request.method !== 'HEAD' && this.#connections.mustWriteInParts(body)) {
      this.#connections.writeLong(response, socket, { body, owners: from.owners(), onDone: () => response.end() })
      return
    }
    // the connection will be closed after this reply, but the client is still sending its body
    if (isUnread && !response.shouldKeepAlive && !this.#isContinueExpected && body !== undefined) this.#endLater(body)
    else response.end(body)
    if (socket) this.#connections.recordWrite(socket, body, from.owners())
  }

  /**
   * Sends a reply at once, but closes the connection only after the body has arrived. Otherwise, a client that is still
   * sending might not receive the reply.
   */
  #endLater(body: string | Buffer): void {
    const request = this.#request
    const response = this.#response
    response.write(body)
    const timer = setTimeout(() => response.end(), LINGER_MS)
    const end = () => {
      clearTimeout(timer)
      response.end()
    }
    request.once('end', end).once('close', end).resume()
  }

  open(
    block: HeaderBlock,
    opened: (outlet: Outlet) => void,
    sent: SentCallback | undefined,
    from: OwnersProvider,
  ): void {
    const request = this.#request
    const response = this.#response
    if (response.closed || response.destroyed) return
    const isHead = request.method === 'HEAD'
    const head = { status: 200, etag: undefined, coding: undefined, body: undefined }
    // the request body has no declared length, so it ends with its last chunk or with the connection
    response.shouldKeepAlive = false
    response.writeHead(200, [...block.list, ...buildBodyHeaders(block, head, 'HEAD')])
    sent?.(200)
    if (isHead) {
      response.end()
      return
    }
    response.flushHeaders()
    if (response.socket) this.#connections.markStream(response.socket)
    opened(new ResponseOutlet(response, { connections: this.#connections, owners: from.owners() }))
  }

  giveUp(): void {
    if (this.#response.headersSent) this.#response.destroy()
    else this.#response.writeHead(500, { 'content-length': '0' }).end()
  }
}
