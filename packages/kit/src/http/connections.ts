import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { getMaxOpenConnections } from '../descriptors.ts'
import { isLong, LongBodies } from '../streams/long-body.ts'
import { Backlog } from './backlog.ts'
import { type Network, toNetwork } from './client-network.ts'
import { toPlainAddress } from './mapped-ipv4.ts'

/** Limits that prevent slow or silent clients from occupying connections. All times are in milliseconds. */
export interface HttpLimits {
  /** Time from the first byte of a request to the end of its headers. A request that takes longer gets 408. */
  readonly headersTimeoutMs: number
  /** Time from the first byte of a request to the end of its body. A request that takes longer gets 408. */
  readonly requestTimeoutMs: number
  /** Maximum idle time of a connection between requests. Longer than the usual timeout of load balancers (60 s). */
  readonly keepAliveTimeoutMs: number
  /**
   * Time without traffic after which a connection is closed. Event streams must send heartbeats more often than this.
   */
  readonly idleTimeoutMs: number
  /** Maximum size of headers and URL in bytes. A larger request gets 431. */
  readonly maxHeaderBytes: number
  /**
   * Maximum total size of replies that clients have not read yet, in bytes. Bytes sent to several connections count
   * once. Above the maximum, connections are closed by force, starting with the owners that use the most bytes.
   */
  readonly maxBufferedBytes: number
  /**
   * Maximum number of connections. Above the maximum, the oldest idle connections of the network with the most idle
   * connections are closed. Default: as many connections as the process has file descriptors for.
   */
  readonly maxConnections?: number
  /** Interval at which header and request timeouts are checked. */
  readonly checkIntervalMs: number
  /**
   * Time that requests in flight are given to finish when the app closes. When this time is over, their connections are
   * closed by force.
   */
  readonly closeGraceMs: number
}

/** Default limits for a service behind a load balancer. */
export const DEFAULT_LIMITS: HttpLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  idleTimeoutMs: 120_000,
  maxHeaderBytes: 16_384,
  maxBufferedBytes: 64 * 1024 * 1024,
  checkIntervalMs: 5_000,
  closeGraceMs: 10_000,
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

interface Traffic {
  readonly network: Network
  /** Requests on a connection, in order of arrival. */
  readonly inFlight: Set<object>
  /** Functions that start the queued requests (all except the first). */
  readonly queued: (() => void)[]
  /** True while reading is paused because too many requests are queued. */
  isPaused: boolean
  /** True if the current reply continues until the connection ends. */
  isStream: boolean
}

/**
 * Maximum number of queued requests per connection before reading pauses. More requests may be queued, because a single
 * chunk can contain many.
 */
const MAX_QUEUED_REQUESTS = 100
/** Memory that a queued request was measured to need, without its text. */
const QUEUED_REQUEST_BYTES = 2500
/**
 * Divisor of the maximum number of connections. Above the maximum, 1/64 of the connections are closed at once, so that
 * scanning all connections remains rare during a flood.
 */
const CLOSED_FRACTION = 64

/** Body that is written in parts. */
export interface LongReply {
  readonly body: Buffer
  /** Owners to which the reply is charged. */
  readonly owners: readonly string[]
  /** Called when the operating system has accepted the whole body. */
  readonly onDone: () => void
}

/** Connections of a server and the requests in flight on each. */
export class Connections {
  readonly #backlog: Backlog
  readonly #longBodies = new LongBodies()
  readonly #traffic = new Map<Socket, Traffic>()
  readonly #max: number
  #isDraining = false
  #closing = false
  #closed = (): void => {}

  /**
   * Tracks the server's connections.
   *
   * @param cut called after a connection was closed by force because its client does not read
   */
  constructor(server: Server, limits: Pick<HttpLimits, 'maxBufferedBytes' | 'maxConnections'>, cut: () => void) {
    const { maxBufferedBytes, maxConnections = getMaxOpenConnections() } = limits
    this.#max = maxConnections
    this.#backlog = new Backlog({ maxBytes: maxBufferedBytes, onCut: cut })
    server.on('connection', (socket: Socket) => {
      const network = toNetwork(toPlainAddress(socket.remoteAddress ?? ''))
      this.#traffic.set(socket, { network, inFlight: new Set(), queued: [], isPaused: false, isStream: false })
      if (this.#traffic.size > this.#max) this.#closeIdle()
      socket.once('close', () => {
        this.#traffic.delete(socket)
        this.#backlog.release(socket)
        if (this.#traffic.size === 0) this.#closed()
      })
      if (this.#closing) socket.destroy()
    })
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.begin(socket, response)
      response.once('close', () => this.end(socket, response))
    })
  }

  /** Sends `Connection: close` with every reply from now on. */
  drain(): void {
    this.#isDraining = true
  }

  /** True if replies must not announce keep-alive. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  /**
   * Registers a request on a connection. `request` can be any object; it identifies the request until `end` is called.
   */
  begin(socket: Socket, request: object): void {
    this.#traffic.get(socket)?.inFlight.add(request)
  }

  /**
   * Starts the latest request of a connection once all earlier requests have ended. If the connection closes first, the
   * request is never started. A single chunk can contain a thousand pipelined requests. If all these requests were
   * answered at once, the replies to a client that does not read would all be buffered. Reading pauses while many
   * requests are queued. A request that is queued behind an event stream would never start, so the connection is closed
   * instead.
   */
  runInOrder(socket: Socket, start: () => void): void {
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined || traffic.inFlight.size <= 1) {
      start()
      return
    }
    if (traffic.isStream) {
      socket.destroy()
      return
    }
    traffic.queued.push(start)
    this.#backlog.grow(socket, QUEUED_REQUEST_BYTES)
    if (traffic.queued.length < MAX_QUEUED_REQUESTS) return
    traffic.isPaused = true
    socket.pause()
  }

  /**
   * Marks the current reply as a stream that continues until the connection ends. The connection is closed if a request
   * is queued behind the stream, now or later.
   */
  markStream(socket: Socket): void {
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined) return
    traffic.isStream = true
    if (traffic.queued.length > 0) socket.destroy()
  }

  /**
   * Subtracts the bytes that a connection had waiting to be sent. Must be called when the operating system has accepted
   * all bytes.
   */
  markDrained(socket: Socket): void {
    this.#backlog.release(socket)
  }

  /**
   * Records that a whole reply, or a part of an event stream, was written to a connection. Does nothing if everything
   * was sent.
   *
   * @param owners owners to which the reply is charged
   */
  recordWrite(socket: Socket, body: string | Buffer | undefined, owners: readonly string[]): void {
    if (socket.writableLength > 0) this.#hold(socket, body, owners)
  }

  /**
   * Returns true if a body must be written with `writeLong`, because the current turn of the event loop has no room for
   * it. Otherwise subtracts the body from the room of the turn.
   */
  mustWriteInParts(body: string | Buffer | undefined): body is Buffer {
    return isLong(body) && !this.#longBodies.takesWhole(body)
  }

  /** Writes a long body to a connection or its response, and charges it to the owners until it is sent. */
  writeLong(stream: Writable, socket: Socket | null, { body, owners, onDone }: LongReply): void {
    this.#longBodies.write(stream, {
      body,
      group: JSON.stringify(owners),
      onQueued: () => socket && this.#hold(socket, body, owners),
      onWait: () => socket && this.recordWrite(socket, body, owners),
      onDone,
    })
  }

  #hold(socket: Socket, body: string | Buffer | undefined, owners: readonly string[]): void {
    const waiting = this.#traffic.get(socket)?.queued.length
    if (waiting !== undefined) this.#backlog.hold(socket, body, waiting * QUEUED_REQUEST_BYTES, owners)
  }

  /** Records the end of a request whose reply was sent or will never be sent. */
  end(socket: Socket, request: object): void {
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined) return
    traffic.inFlight.delete(request)
    this.#backlog.release(socket)
    if (this.#closing && traffic.inFlight.size === 0) {
      socket.destroySoon()
      return
    }
    traffic.queued.shift()?.()
    if (!traffic.isPaused || traffic.queued.length >= MAX_QUEUED_REQUESTS) return
    traffic.isPaused = false
    socket.resume()
  }

  /**
   * Answers a malformed or slow request with 400, 408 or 431 without a body, then closes the connection. Writes nothing
   * if the client could mistake the answer for part of the reply to another request.
   */
  answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
    if (error.code !== 'ECONNRESET' && socket.writable && this.#awaitsReply(socket)) {
      const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    }
    socket.destroySoon()
  }

  /**
   * Closes idle connections at once. Closes each busy connection after its requests were answered, and all that remain
   * after `graceMs`. Resolves when no connection is left.
   */
  close(graceMs: number): Promise<void> {
    this.#isDraining = true
    this.#closing = true
    const closed = new Promise<void>((resolve) => {
      this.#closed = resolve
    })
    if (this.#traffic.size === 0) this.#closed()
    for (const [socket, { inFlight }] of this.#traffic) if (inFlight.size === 0) socket.destroy()
    setTimeout(() => {
      for (const socket of this.#traffic.keys()) socket.destroy()
    }, graceMs).unref()
    return closed
  }

  /**
   * Closes the oldest idle connections of the network with the most idle connections, so that this network does not
   * lock out other networks.
   */
  #closeIdle(): void {
    const idle = [...this.#traffic].filter(([, traffic]) => isIdle(traffic))
    const networks = Map.groupBy(idle, ([, { network }]) => network)
    let largest: typeof idle = []
    for (const sockets of networks.values()) if (sockets.length > largest.length) largest = sockets
    for (const [socket] of largest.slice(0, Math.ceil(this.#max / CLOSED_FRACTION))) {
      // the 'close' event would come only after this scan, so the connection is removed here
      this.#traffic.delete(socket)
      socket.destroy()
    }
  }

  /**
   * Returns true if an error that a client caused can be answered: no request is in flight, or only the one that caused
   * the error.
   */
  #awaitsReply(socket: Socket): boolean {
    const [first, ...others] = this.#traffic.get(socket)?.inFlight ?? []
    if (first === undefined) return true
    return others.length === 0 && first instanceof ServerResponse && !first.headersSent && !first.req.complete
  }
}

function isIdle({ inFlight, isStream }: Traffic): boolean {
  return inFlight.size === 0 && !isStream
}
