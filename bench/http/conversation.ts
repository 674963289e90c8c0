import { connect, type Socket } from 'node:net'
import { ResponseReader, type SeenResponse } from './response-reader.ts'

/** What is said on one connection. */
export interface Conversation {
  /** Bytes of the next request, as latin text; undefined ends the connection. */
  next(): string | undefined
  /** Hears the response to it, and how long it took until its end and until its first byte, in nanoseconds of at least 1. */
  heard(response: SeenResponse, ns: number, firstByteNs: number): void
  /**
   * When the next request is due, by `performance.now()`; at once where it is left out. One that is sent late, because
   * the response before it was, has waited since then.
   */
  dueAt?(): number
}

const NS_PER_MS = 1_000_000

/**
 * Plays a keep-alive connection, one request at a time, written and read by hand so that it costs less than what it
 * measures. Rejects where the server hangs up before it has answered.
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
      conversation.heard(response, nsSince(performance.now()), nsSince(firstByteAt))
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
