import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Outlet } from '../streams/outlet.ts'
import { SocketOutlet } from '../streams/socket-outlet.ts'
import type { Connections, HttpLimits } from './connections.ts'
import type { Loan } from './content.ts'
import type { Exit, OwnersProvider, SentCallback } from './exchange.ts'
import { buildBodyHeaders, type HeaderBlock } from './header-block.ts'
import { toPlainAddress } from './mapped-ipv4.ts'
import type { OutgoingReply } from './outgoing.ts'
import { type PlainRequest, PlainRequests } from './plain-request.ts'

/** Dependencies that all direct connections share. */
export interface DirectDeps {
  /** Function that answers a plain request. Returns false to leave the request to the HTTP server. */
  readonly answer: (request: PlainRequest, remoteAddress: string, exit: Exit) => boolean
  readonly connections: Connections
  readonly limits: HttpLimits
  /** Returns the value of the Date header. */
  readonly date: () => string
  /** Function that passes a connection permanently to the HTTP server. */
  readonly handOver: (socket: Socket) => void
}

/**
 * States of a direct connection:
 *
 * - `new`: no request has arrived yet
 * - `idle`: all requests have been answered
 * - `answering`: still within the event that delivered the current request
 * - `waiting`: after that event, until the reply is complete; the socket is not read in this state
 * - `streaming`: the reply continues until the connection ends
 * - `closing`: the last reply is complete; any further input is discarded
 */
type ConnectionState = 'new' | 'idle' | 'answering' | 'waiting' | 'streaming' | 'closing'

/** State of a reply that is written in several parts. */
interface LongReply {
  readonly loan: Loan | undefined
  readonly done: () => void
  readonly from: OwnersProvider
}

const NOTHING = Buffer.alloc(0)
/** Reply that contains only the head of a stream; the body follows in chunks. */
const NO_BODY: OutgoingReply = { status: 200, etag: undefined, coding: undefined, body: undefined }
/** Time for a client to notice that its connection has ended. */
const CLOSE_TIMEOUT_MS = 1000

/**
 * Connection that answers plain requests to frequently used routes directly on the socket, one at a time. At the first
 * chunk that is not a plain request, passes the connection to the HTTP server, as if that server had accepted it. The
 * platform's HTTP server therefore handles everything that is unusual, slow, long or malformed.
 */
export class DirectConnection implements Exit {
  readonly #socket: Socket
  readonly #deps: DirectDeps
  readonly #requests: PlainRequests
  readonly #address: string
  readonly #keepAliveLines: string
  #state: ConnectionState = 'new'
  /** True if the current request is a HEAD request. */
  #isHead = false
  /** True if the client has closed its side of the connection. */
  #isHalfClosed = false

  /** Starts reading the socket. */
  constructor(socket: Socket, deps: DirectDeps) {
    this.#socket = socket
    this.#deps = deps
    this.#requests = new PlainRequests(deps.limits.maxHeaderBytes)
    this.#address = toPlainAddress(socket.remoteAddress ?? '')
    this.#keepAliveLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(deps.limits.keepAliveTimeoutMs / 1000)}`
    socket.setTimeout(deps.limits.headersTimeoutMs)
    socket.on('data', this.#read).on('end', this.#end).on('timeout', this.#cut).on('error', this.#cut)
  }

  readonly #read = (piece: Buffer): void => {
    const isFirst = this.#state === 'new'
    const request = this.#requests.read(piece)
    if (request === undefined || !this.#answer(request)) this.#handOver(piece)
    else if (this.#state === 'answering') this.#wait()
    else if (this.#state === 'idle' && isFirst) this.#socket.setTimeout(this.#deps.limits.keepAliveTimeoutMs)
  }

  #answer(request: PlainRequest): boolean {
    this.#isHead = request.method === 'HEAD'
    this.#state = 'answering'
    return this.#deps.answer(request, this.#address, this)
  }

  readonly #end = (): void => {
    this.#isHalfClosed = true
    if (this.#state === 'streaming') this.#socket.destroy()
    else if (this.#state !== 'answering' && this.#state !== 'waiting') this.#socket.end()
  }

  readonly #cut = (): void => {
    this.#socket.destroy()
  }

  #handOver(piece: Buffer): void {
    const socket = this.#socket
    socket.off('data', this.#read).off('end', this.#end).off('timeout', this.#cut).off('error', this.#cut)
    socket.setTimeout(0)
    this.#deps.handOver(socket)
    socket.unshift(piece)
  }

  /** Pauses reading until the reply is sent, so that there is at most one reply per client in memory. */
  #wait(): void {
    this.#state = 'waiting'
    this.#socket.pause()
    this.#begin()
  }

  /**
   * Counts the request as in flight, because its reply is not complete when the event that delivered the request ends.
   */
  #begin(): void {
    this.#socket.setTimeout(this.#deps.limits.idleTimeoutMs)
    this.#deps.connections.begin(this.#socket, this)
  }

  send(block: HeaderBlock, outgoing: OutgoingReply, sent: SentCallback | undefined, from: OwnersProvider): void {
    const socket = this.#socket
    const isFinal = this.#deps.connections.isDraining
    const head = this.#formatHead(block, outgoing, isFinal)
    const done = () => {
      outgoing.loan?.release()
      sent?.(outgoing.status)
      this.#done(isFinal)
    }
    const { body } = outgoing
    if (!this.#isHead && this.#deps.connections.mustWriteInParts(body)) {
      this.#writeLong(head, body, { loan: outgoing.loan, done, from })
      return
    }
    this.#write(head, outgoing)
    // in most cases, the operating system accepts the whole reply at once
    if (socket.writableLength === 0) {
      done()
      return
    }
    this.#deps.connections.recordWrite(socket, this.#isHead ? undefined : outgoing.body, from.owners())
    this.#whenWritten(done, outgoing)
  }

  open(
    block: HeaderBlock,
    opened: (outlet: Outlet) => void,
    sent: SentCallback | undefined,
    from: OwnersProvider,
  ): void {
    const socket = this.#socket
    if (this.#isHead) {
      this.send(block, NO_BODY, sent, from)
      return
    }
    if (!socket.writable || this.#isHalfClosed) {
      socket.destroy()
      return
    }
    if (this.#state === 'answering') this.#begin()
    this.#state = 'streaming'
    socket.write(this.#formatHead(block, NO_BODY, true), 'latin1')
    sent?.(NO_BODY.status)
    // only reading reveals that the client has closed the connection
    socket.off('data', this.#read).on('data', this.#cut).resume()
    const { connections } = this.#deps
    opened(new SocketOutlet(socket, { connections, owners: from.owners(), closeConnection: () => this.#done(true) }))
  }

  #writeLong(head: string, body: Buffer, { loan, done, from }: LongReply): void {
    const socket = this.#socket
    const lost = () => loan?.release()
    socket.once('close', lost)
    socket.cork()
    socket.write(head, 'latin1')
    this.#deps.connections.writeLong(socket, socket, {
      body,
      owners: from.owners(),
      onDone: () => {
        socket.off('close', lost)
        done()
      },
    })
    socket.uncork()
  }

  /**
   * Calls `done` after the write, and returns a pooled buffer to its pool. If the connection breaks during the write,
   * returns the buffer only after the connection has closed, when nothing reads the buffer any more.
   */
  #whenWritten(done: () => void, { loan }: OutgoingReply): void {
    const lost = () => loan?.release()
    this.#socket.once('close', lost)
    this.#socket.write(NOTHING, (error) => {
      if (error) return
      this.#socket.off('close', lost)
      done()
    })
  }

  /** @param isFinal true if the connection ends after the reply */
  #formatHead(block: HeaderBlock, outgoing: OutgoingReply, isFinal: boolean): string {
    const { status } = outgoing
    const isStream = this.#state === 'streaming'
    const own = buildBodyHeaders(block, outgoing, this.#isHead || isStream ? 'HEAD' : '')
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${block.lines}`
    const last = isFinal ? 'Connection: close' : this.#keepAliveLines
    for (let at = 0; at < own.length; at += 2) head += `${own[at]}: ${own[at + 1]}\r\n`
    const coding = isStream ? 'Transfer-Encoding: chunked\r\n' : ''
    return `${head}Date: ${this.#deps.date()}\r\n${last}\r\n${coding}\r\n`
  }

  /** Writes head and body in one chunk if there is room in front of the body. */
  #write(head: string, { body, loan }: OutgoingReply): void {
    const socket = this.#socket
    const around = loan?.surroundings
    if (body === undefined || this.#isHead) socket.write(head, 'latin1')
    else if (around !== undefined && head.length <= around.headroomBytes) {
      const start = around.start - head.length
      around.memory.write(head, start, 'latin1')
      socket.write(around.memory.subarray(start, around.end))
    } else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(body)
      socket.uncork()
    }
  }

  giveUp(): void {
    this.#socket.destroy()
  }

  #done(isFinal: boolean): void {
    const { connections, limits } = this.#deps
    const hasBegun = this.#state === 'waiting' || this.#state === 'streaming'
    this.#state = isFinal ? 'closing' : 'idle'
    if (hasBegun) {
      this.#socket.setTimeout(limits.keepAliveTimeoutMs)
      connections.end(this.#socket, this)
    }
    if (isFinal) this.#closeGracefully()
    else if (!hasBegun) return
    else if (this.#isHalfClosed) this.#socket.end()
    else if (this.#socket.writable) this.#socket.resume()
  }

  /**
   * Ends the connection and discards any further input. Closing the socket while it has unread bytes could lose replies
   * in transit.
   */
  #closeGracefully(): void {
    const socket = this.#socket
    socket.off('data', this.#read).off('data', this.#cut)
    socket.setTimeout(CLOSE_TIMEOUT_MS)
    socket.end()
    socket.resume()
  }
}

/** Reads a server's connections directly for as long as they send only plain requests. */
export function readDirectly(server: Server, deps: Omit<DirectDeps, 'handOver'>): void {
  // the first listener is the server's own, added in its constructor
  const [own] = server.listeners('connection')
  if (own === undefined) throw new Error('The server does not listen to connections')
  server.off('connection', own as () => void)
  const handOver = (socket: Socket) => own.call(server, socket)
  server.prependListener('connection', (socket) => new DirectConnection(socket, { ...deps, handOver }))
}

/** Returns a function that returns the value of the Date header. The value is formatted only once a second. */
export function createDateHeader(now: () => number): () => string {
  let second = Number.NaN
  let text = ''
  return () => {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      second = current
      text = new Date(current * 1000).toUTCString()
    }
    return text
  }
}
