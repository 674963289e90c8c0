import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Address that a hostile client connects to, and its local source address. */
export interface Route {
  readonly port: number
  /**
   * Local source address. Each address in 127.0.0.0/8 counts as a separate network, as separate clients on the internet
   * do.
   */
  readonly from: string
}

/** Request of a flood. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const HOST = '127.0.0.1'
const REPLY_LIMIT_MS = 20_000
const LINE_END = '\r\n'

/** Opens a connection and ignores its errors, because the server at the other end is under test. */
export function openSocket({ port, from }: Route): Socket {
  const socket = connect({ host: HOST, port, localAddress: from })
  socket.on('error', () => {})
  return socket
}

/** Returns the head of a request. */
export function headOf(line: string, headers: Readonly<Record<string, string>> = {}): string {
  const rows = Object.entries({ host: HOST, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...rows, '', ''].join(LINE_END)
}

/**
 * Opens connections, starts each with `begin`, and finally closes all of them. Returns how many of the connections the
 * server had already closed.
 */
export async function holdSockets(
  route: Route,
  {
    count,
    holdMs,
    begin,
  }: { readonly count: number; readonly holdMs: number; readonly begin: (socket: Socket) => void },
): Promise<number> {
  let closed = 0
  const sockets = Array.from({ length: count }, () => {
    const socket = openSocket(route)
    socket.once('close', () => {
      closed += 1
    })
    socket.once('connect', () => begin(socket))
    return socket
  })
  await sleep(holdMs)
  const closedByServer = closed
  for (const socket of sockets) socket.destroy()
  return closedByServer
}

/** Limits of a flood. */
export interface FloodBounds {
  readonly count: number
  readonly connections: number
  readonly limitMs: number
}

/**
 * Sends requests over a few connections until the count or time limit. Returns the number of replies by status; 0 is a
 * failed connection.
 */
export async function flood(
  { port, from }: Route,
  { count, connections, limitMs }: FloodBounds,
  make: (index: number) => HostileRequest,
): Promise<Record<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const endMs = performance.now() + limitMs
  const statuses: Record<number, number> = {}
  let sent = 0
  const send = async (): Promise<void> => {
    while (sent < count && performance.now() < endMs) {
      const { method, path, headers, body } = make(sent)
      sent += 1
      const status = await new Promise<number>((resolve) => {
        const options = { host: HOST, port, localAddress: from, agent, method, path, timeout: REPLY_LIMIT_MS }
        const asked = request({ ...options, headers: { ...headers } }, (reply) => {
          reply.resume()
          reply.once('close', () => resolve(reply.statusCode ?? 0))
        })
        asked.once('timeout', () => asked.destroy())
        asked.once('error', () => resolve(0))
        asked.end(body)
      })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  agent.destroy()
  return statuses
}
