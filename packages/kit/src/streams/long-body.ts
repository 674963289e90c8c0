import type { Writable } from 'node:stream'

/**
 * Bytes of a body that are handed to the operating system at once: it copies them before it answers, and what is longer
 * than this keeps everybody else waiting for milliseconds.
 */
const PART_BYTES = 256 * 1024

/** What becomes of a long body. */
export interface LongBodyHeard {
  /** The client does not take it as fast as it comes; called again with each part that has to wait. */
  readonly waits: () => void
  /** All of it is with the operating system. */
  readonly done: () => void
}

/** Whether a body leaves in parts. */
export function isLong(body: string | Buffer | undefined): body is Buffer {
  return Buffer.isBuffer(body) && body.length > PART_BYTES
}

/**
 * Writes a body part by part, the next in a later turn of the event loop once the one before is with the operating system,
 * so that others are answered between. Once the stream is destroyed nothing more is written, or told.
 */
export function writeInParts(stream: Writable, body: Buffer, { waits, done }: LongBodyHeard): void {
  let at = 0
  const next = (): void => {
    if (!stream.writable) return
    const part = body.subarray(at, at + PART_BYTES)
    at += part.length
    let isTaken = false
    stream.write(part, (error) => {
      isTaken = true
      if (error) return
      if (at >= body.length) done()
      else setImmediate(next)
    })
    // what is corked goes at the end of this turn
    setImmediate(() => {
      if (!isTaken) waits()
    })
  }
  next()
}
