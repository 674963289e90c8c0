import type { Writable } from 'node:stream'
import { FairQueue } from '../fair-queue.ts'

/** Number of bytes that are written to one connection at once. */
const PART_BYTES = 64 * 1024
/**
 * Number of bytes of long bodies that are written per turn of the event loop, for all connections together. The
 * operating system copies a part synchronously, so without this limit, 300 connections with long bodies would block the
 * event loop for half a second.
 */
const TURN_BYTES = 256 * 1024

/** Long body, and the callbacks of its progress. */
export interface LongBody {
  readonly body: Buffer
  /** Key of the callers that the body is for. Callers take turns. */
  readonly group: string
  /** Called for each part that waits for its turn. */
  readonly onQueued: () => void
  /** Called for each part that the operating system does not accept at once. */
  readonly onWait: () => void
  /** Called when the operating system has accepted the whole body. */
  readonly onDone: () => void
}

/** Returns true if a body may be written at once only as far as the budget of the turn allows. */
export function isLong(body: string | Buffer | undefined): body is Buffer {
  return Buffer.isBuffer(body) && body.length > PART_BYTES
}

/**
 * Writer of the long bodies of all connections of an app. Each part of a body is written only after the operating
 * system has accepted the previous part. A turn of the event loop writes at most `TURN_BYTES`; further parts wait, and
 * callers take turns. Between turns, other requests are served.
 */
export class LongBodies {
  /** Parts that wait for a later turn: at most one per connection. */
  readonly #waiting = new FairQueue<() => void>({ max: Number.POSITIVE_INFINITY })
  #bytesLeft = TURN_BYTES
  #isTurnScheduled = false
  #parts = 0

  /**
   * Returns true if the whole body fits into the budget of this turn, and subtracts it. The caller then writes it at
   * once.
   */
  takesWhole(body: Buffer): boolean {
    if (body.length > this.#bytesLeft || this.#waiting.size > 0) return false
    this.#bytesLeft -= body.length
    this.#scheduleTurn()
    return true
  }

  /** Writes a body in parts. After the stream was destroyed, writes nothing and calls no callback. */
  write(stream: Writable, long: LongBody): void {
    const { body, group, onQueued, onWait, onDone } = long
    let at = 0
    const next = (): void => {
      if (!stream.writable) return
      const part = body.subarray(at, at + PART_BYTES)
      at += part.length
      this.#bytesLeft -= part.length
      let isTaken = false
      stream.write(part, (error) => {
        isTaken = true
        if (error) return
        if (at >= body.length) onDone()
        else this.#runInTurn(group, next, onQueued)
      })
      // the stream is corked, and everything written to it is sent at the end of this turn
      setImmediate(() => {
        if (!isTaken) onWait()
      })
    }
    this.#runInTurn(group, next, onQueued)
  }

  #runInTurn(group: string, next: () => void, onQueued: () => void): void {
    this.#scheduleTurn()
    if (this.#bytesLeft > 0 && this.#waiting.size === 0) {
      next()
      return
    }
    this.#parts += 1
    this.#waiting.add(group, String(this.#parts), next)
    onQueued()
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return
    this.#isTurnScheduled = true
    setImmediate(this.#startTurn)
  }

  readonly #startTurn = (): void => {
    this.#bytesLeft = TURN_BYTES
    this.#isTurnScheduled = this.#waiting.size > 0
    if (this.#isTurnScheduled) setImmediate(this.#startTurn)
    while (this.#bytesLeft > 0 && this.#waiting.size > 0) for (const next of this.#waiting.take(1).values()) next()
  }
}
