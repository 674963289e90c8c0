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
import { dateHeader, readDirectly } from './direct-connection.ts'
import { Intake } from './intake.ts'
import { Listener, type ListenOptions } from './listener.ts'

export type { AppOptions, SeenReply } from './app-options.ts'

/** An app that can listen, be mounted on another server, or be asked in process. */
export interface App {
  readonly server: Server
  /** Memory that bodies of requests use. */
  readonly bodies: BodyBudget
  /** Answers a request of any HTTP server. */
  readonly routing: (request: IncomingMessage, response: ServerResponse) => void
  /** Answers a request that was never sent. */
  readonly inject: (request: InjectOptions) => Promise<Response>
  /** Listens, on this machine only where no host is named; gives the URL. Rejects with the platform's error. */
  listen(at: ListenOptions): Promise<string>
  /** Answers a connection that somebody else has accepted, of which nothing was read; instead of `listen`. */
  accept(socket: Socket): void
  /** Every reply is the last of its connection from now on, and says so; listening goes on. */
  drain(): void
  /** Takes no more connections, ends idle ones, and lets requests in flight end for `limits.closeGraceMs`. */
  close(): Promise<void>
}

/** An app that answers `routes`. */
export function createApp<Access, World = undefined>(ofWorld: AppOptions<Access, World>): App {
  // from here on nobody asks what the world is: it only goes with its routes
  const options = ofWorld as unknown as AppOptions<Access>
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const server = createBoundedServer({ kind: 'http', limits })
  const connections = new Connections(server, limits, cutNotice(options.logger, PROCESS_CLOCK))
  const { answer, answerPlain, bodies, expect } = new Intake(options, connections)
  if (options.fastLane !== false) {
    readDirectly(server, { answer: answerPlain, connections, limits, date: dateHeader(Date.now) })
  }
  server.on('request', (request, response) => connections.inTurn(request.socket, () => answer(request, response)))
  // told to send the body only once it is known who asks
  server.on('checkContinue', (request, response) => {
    expect(request)
    server.emit('request', request, response)
  })
  server.on('clientError', (error, socket) => connections.answerClientError(error, socket as Socket))
  const listener = new Listener(server)
  const closeAll = async () => {
    options.streams?.close()
    connections.drain()
    // what has arrived already is read, and is not idle then: a close would reset it
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
      // from then on the server looks whether requests come too slowly
      if (!isAccepting) server.emit('listening')
      isAccepting = true
      // as if the server had accepted it
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

/** One may have begun already; between two all sockets are looked at. */
const READING_TURNS = 2
const NOTICE_INTERVAL_MS = 60_000

/** Says that connections are cut, once a minute at most: callers can bring it about as often as they like. */
function cutNotice(logger: Logger, now: MonotonicClock): () => void {
  let [count, toldAtMs] = [0, Number.NEGATIVE_INFINITY]
  return () => {
    count += 1
    if (now() - toldAtMs < NOTICE_INTERVAL_MS) return
    logger.warn(`Connections were cut (${count}), for they do not read their replies, and memory for these is bounded`)
    ;[count, toldAtMs] = [0, now()]
  }
}
