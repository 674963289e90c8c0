import { connect, type Socket } from 'node:net'
import { type ParsedResponse, ResponseReader } from './response-reader.ts'

/** Requests and responses of one connection. */
export interface Conversation {
  /** Returns the next request as Latin-1 text; undefined closes the connection. */
  next(): string | undefined
  /**
   * Called with each response and two durations in nanoseconds (at least 1): from the request to the end of the
   * response, and to its first byte.
   */
  onResponse(response: ParsedResponse, ns: number, firstByteNs: number): void
  /**
   * Returns the time when the next request is due, by `performance.now()`. Without this function, requests are due at
   * once. If a late response delays a request, the request's duration counts from the time at which it was due.
   */
  dueAt?(): number
}

const NS_PER_MS = 1_000_000

/**
 * Sends the requests of a conversation over one keep-alive connection, one at a time. HTTP is written and parsed by
 * hand, so that the client costs less than the server that it measures. Rejects if the server closes the connection
 * before it has responded.
 */
export function converse(port: number, conversation: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let since = 0
    let firstByteAt = 0
    let isWaiting = false
    const send = (dueMs: number): void => {
      const request = conversation.next()
      if (request === undefined) return void socket.end()
      isWaiting = true
      since = dueMs
      firstByteAt = 0
      socket.write(request, 'latin1')
    }
    const sendWhenDue = (): void => {
      const now = performance.now()
      const dueMs = conversation.dueAt?.() ?? now
      if (dueMs <= now) send(dueMs)
      else setTimeout(() => send(performance.now()), dueMs - now)
    }
    const nsSince = (at: number): number => Math.max(1, Math.round((at - since) * NS_PER_MS))
    const reader = new ResponseReader((response) => {
      isWaiting = false
      conversation.onResponse(response, nsSince(performance.now()), nsSince(firstByteAt))
      sendWhenDue()
    })
    socket.on('connect', sendWhenDue)
    socket.on('data', (chunk: Buffer) => {
      firstByteAt ||= performance.now()
      reader.read(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => (isWaiting ? reject(new Error('The server hung up')) : resolve()))
  })
}
