import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { InjectOptions, Response } from 'light-my-request'
import type { Logger } from '../log/logger.ts'
import { type MonotonicClock, PROCESS_CLOCK } from '../monotonic-clock.ts'
import type { AppOptions } from './app-options.ts'
import type { BodyBudget } from './body-budget.ts'
import { createBoundedServer } from './bounded-servers.ts'
import { Connections, DEFAULT_LIMITS } from './connections.ts'
import { createDateHeader, readDirectly } from './direct-connection.ts'
import { Listener, type ListenOptions } from './listener.ts'
import { RequestDispatcher } from './request-dispatcher.ts'

export type { AppOptions, CompletedReply as SeenReply } from './app-options.ts'

/** App that can listen, be mounted on another server, or handle in-process requests. */
export interface App {
  readonly server: Server
  /** Memory budget for request bodies. */
  readonly bodies: BodyBudget
  /** Handles a request that any HTTP server has received. */
  readonly routing: (request: IncomingMessage, response: ServerResponse) => void
  /** Handles a simulated request, without a network. */
  readonly inject: (request: InjectOptions) => Promise<Response>
  /** Starts listening, on localhost if no host is given. Returns the URL. Rejects with the platform's error. */
  listen(at: ListenOptions): Promise<string>
  /** Handles a connection that other code has accepted but not read from. Replaces `listen`. */
  accept(socket: Socket): void
  /** From now on, sends `Connection: close` with every reply, but continues to listen. */
  drain(): void
  /**
   * Stops accepting connections, closes idle connections, and gives requests in flight `limits.closeGraceMs` to finish.
   */
  close(): Promise<void>
}

/** Creates an app that serves `routes`. */
export function createApp<Access, World = undefined>(ofWorld: AppOptions<Access, World>): App {
  // only the routes need to know the type of `world`, so it is erased from here on
  const options = ofWorld as unknown as AppOptions<Access>
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const server = createBoundedServer({ kind: 'http', limits })
  const connections = new Connections(server, limits, createCutWarning(options.logger, PROCESS_CLOCK))
  const { answer, answerPlain, bodies, expectContinue } = new RequestDispatcher(options, connections)
  if (options.fastLane !== false) {
    readDirectly(server, { answer: answerPlain, connections, limits, date: createDateHeader(Date.now) })
  }
  server.on('request', (request, response) => connections.runInOrder(request.socket, () => answer(request, response)))
  // sends 100 Continue only once the caller is authorized
  server.on('checkContinue', (request, response) => {
    expectContinue(request)
    server.emit('request', request, response)
  })
  server.on('clientError', (error, socket) => connections.answerClientError(error, socket as Socket))
  const listener = new Listener(server)
  const closeAll = async () => {
    options.streams?.close()
    connections.drain()
    // lets the sockets read data that has already arrived Otherwise, a connection with an unread request would count as
    // idle and would be reset
    for (let turn = 0; turn < READING_TURNS; turn += 1) await setImmediate()
    await Promise.all([connections.close(limits.closeGraceMs), listener.close()])
  }
  let isAccepting = false
  let closing: Promise<void> | undefined
  return {
    server,
    bodies,
    routing: answer,
    inject: async (request) => (await import('light-my-request')).inject(answer, request),
    listen: (at) => listener.listen(at),
    accept: (socket) => {
      // starts the HTTP server's checks for slow requests
      if (!isAccepting) server.emit('listening')
      isAccepting = true
      // the HTTP server sets this on connections that it accepts itself
      socket.allowHalfOpen = true
      socket.setNoDelay(true)
      server.emit('connection', socket)
    },
    drain: () => connections.drain(),
    close: () => {
      closing ??= closeAll()
      return closing
    },
  }
}

/**
 * Number of event loop iterations after which every socket was polled at least once. Two iterations are needed, because
 * the current one may already be past its poll phase.
 */
const READING_TURNS = 2
const NOTICE_INTERVAL_MS = 60_000

/**
 * Returns a function that logs that a connection was closed by force. Logs at most once a minute, because callers can
 * cause these log lines at will.
 */
function createCutWarning(logger: Logger, now: MonotonicClock): () => void {
  let [count, toldAtMs] = [0, Number.NEGATIVE_INFINITY]
  return () => {
    count += 1
    if (now() - toldAtMs < NOTICE_INTERVAL_MS) return
    logger.warn(
      `Closed connections (${count}): clients did not read their replies, and the memory for replies is limited`,
    )
    ;[count, toldAtMs] = [0, now()]
  }
}
