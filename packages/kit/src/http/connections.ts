import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { maxOpenConnections } from '../descriptors.ts'
import { plainAddress } from './address.ts'
import { Backlog } from './backlog.ts'
import { type Network, networkOf } from './network.ts'

/** Bounds that keep slow or silent clients from holding connections. All times in milliseconds. */
export interface HttpLimits {
  /** From the first byte of a request to the end of its headers; else 408. */
  readonly headersTimeoutMs: number
  /** From the first byte of a request to the end of its body; else 408. */
  readonly requestTimeoutMs: number
  /** How long a connection may stay open between two requests. Longer than load balancers keep theirs (60 s). */
  readonly keepAliveTimeoutMs: number
  /** How long nothing may be sent or received at all. Event streams must beat more often. */
  readonly idleTimeoutMs: number
  /** Bytes of all headers and the URL; else 431. */
  readonly maxHeaderBytes: number
  /**
   * Bytes of replies that clients do not read, of all connections together; beyond, connections of the callers that
   * hold the most are cut. What many are sent alike counts once.
   */
  readonly mostHeldBytes: number
  /**
   * Maximum number of connections; beyond, idle ones of the network that has the most idle ones are closed, the oldest
   * first. By default as many as the file descriptors of the process allow.
   */
  readonly maxConnections?: number
  /** How often the first two bounds are looked at. */
  readonly checkIntervalMs: number
  /** How long requests in flight may go on once the app closes; then their connections are cut. */
  readonly closeGraceMs: number
}

/** Bounds that suit a service behind a load balancer. */
export const DEFAULT_LIMITS: HttpLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  idleTimeoutMs: 120_000,
  maxHeaderBytes: 16_384,
  mostHeldBytes: 64 * 1024 * 1024,
  checkIntervalMs: 5_000,
  closeGraceMs: 10_000,
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

interface Traffic {
  readonly network: Network
  /** In order. */
  readonly inFlight: Set<object>
  /** How to start those that are not the first. */
  readonly waiting: (() => void)[]
  /** Nothing more is read until fewer wait. */
  isPaused: boolean
  /** Its reply goes on until the connection ends. */
  isStream: boolean
}

/** Of a connection; one piece of bytes may hold more. */
const MOST_WAITING = 100
/** What a request that waits costs besides its text: measured. */
const WAITING_BYTES = 2500
/** Part of the maximum that is closed at once, so that a flood of connections costs one look at all of them now and then. */
const CLOSED_PART = 64

/** The connections of a server and the requests in flight on each. */
export class Connections {
  readonly #backlog: Backlog
  readonly #traffic = new Map<Socket, Traffic>()
  readonly #max: number
  #isDraining = false
  #closing = false
  #closed = (): void => {}

  /**
   * Follows the server's connections from now on.
   *
   * @param cut hears of connections that were cut because they do not read
   */
  constructor(server: Server, limits: Pick<HttpLimits, 'mostHeldBytes' | 'maxConnections'>, cut: () => void) {
    const { mostHeldBytes, maxConnections = maxOpenConnections() } = limits
    this.#max = maxConnections
    this.#backlog = new Backlog({ mostBytes: mostHeldBytes, cut })
    server.on('connection', (socket: Socket) => {
      const network = networkOf(plainAddress(socket.remoteAddress ?? ''))
      this.#traffic.set(socket, { network, inFlight: new Set(), waiting: [], isPaused: false, isStream: false })
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

  /** Every reply is the last of its connection from now on, and says so. */
  drain(): void {
    this.#isDraining = true
  }

  /** No reply that is sent now may promise that its connection stays. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  /** A request has begun on a connection; `request` is any object that stands for it until `end`. */
  begin(socket: Socket, request: object): void {
    this.#traffic.get(socket)?.inFlight.add(request)
  }

  /**
   * Starts the request that has begun last when all before it have ended; never, if the connection is closed first. One piece
   * of bytes can hold a thousand requests: answered at once, all replies to a client that does not read would be held.
   * While many wait nothing more is read. Behind an event stream none would ever begin: it breaks the connection off.
   */
  inTurn(socket: Socket, start: () => void): void {
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined || traffic.inFlight.size <= 1) {
      start()
      return
    }
    if (traffic.isStream) {
      socket.destroy()
      return
    }
    traffic.waiting.push(start)
    this.#backlog.grow(socket, WAITING_BYTES)
    if (traffic.waiting.length < MOST_WAITING) return
    traffic.isPaused = true
    socket.pause()
  }

  /** The reply of a connection goes on until that ends; requests behind it break it off, those that wait already, too. */
  streams(socket: Socket): void {
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined) return
    traffic.isStream = true
    if (traffic.waiting.length > 0) socket.destroy()
  }

  /** The operating system has all that was written to a connection. */
  took(socket: Socket): void {
    this.#backlog.release(socket)
  }

  /**
   * A whole reply, or a part of an event stream, was written to a connection.
   *
   * @param owners callers that the reply counts for
   */
  wrote(socket: Socket, body: string | Buffer | undefined, owners: readonly string[]): void {
    const waiting = this.#traffic.get(socket)?.waiting.length
    if (waiting !== undefined) this.#backlog.hold(socket, body, waiting * WAITING_BYTES, owners)
  }

  /** A reply has been sent, or never will be. */
  end(socket: Socket, request: object): void {
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined) return
    traffic.inFlight.delete(request)
    this.#backlog.release(socket)
    if (this.#closing && traffic.inFlight.size === 0) {
      socket.destroySoon()
      return
    }
    traffic.waiting.shift()?.()
    if (!traffic.isPaused || traffic.waiting.length >= MOST_WAITING) return
    traffic.isPaused = false
    socket.resume()
  }

  /**
   * Answers what is not HTTP, or comes too slowly: 400, 408 or 431 without body; then closes the connection.
   * Writes nothing where it could be taken for another request's reply or for a part of one.
   */
  answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
    if (error.code !== 'ECONNRESET' && socket.writable && this.#awaitsReply(socket)) {
      const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    }
    socket.destroySoon()
  }

  /**
   * Closes what is idle now, the rest as soon as its requests are answered, and after `graceMs` what is left. Resolves
   * when no connection is left.
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

  /** Closes the oldest idle connections of the network that has the most idle ones, so that it does not keep others out. */
  #closeIdle(): void {
    const idle = [...this.#traffic].filter(([, traffic]) => isIdle(traffic))
    const networks = Map.groupBy(idle, ([, { network }]) => network)
    let largest: typeof idle = []
    for (const sockets of networks.values()) if (sockets.length > largest.length) largest = sockets
    for (const [socket] of largest.slice(0, Math.ceil(this.#max / CLOSED_PART))) {
      // counted no longer: it is closed only when this piece of work is done
      this.#traffic.delete(socket)
      socket.destroy()
    }
  }

  /** Nothing is in flight, or only a request that is still being read: the fault lies in it. */
  #awaitsReply(socket: Socket): boolean {
    const [first, ...others] = this.#traffic.get(socket)?.inFlight ?? []
    if (first === undefined) return true
    return others.length === 0 && first instanceof ServerResponse && !first.headersSent && !first.req.complete
  }
}

function isIdle({ inFlight, isStream }: Traffic): boolean {
  return inFlight.size === 0 && !isStream
}
