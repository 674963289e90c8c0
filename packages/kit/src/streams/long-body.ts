import type { Writable } from 'node:stream'

/**
 * Number of bytes that are written at once. The operating system copies a part synchronously, so a larger part would
 * block the event loop for milliseconds.
 */
const PART_BYTES = 256 * 1024

/** Callbacks of `writeInParts`. */
export interface LongBodyCallbacks {
  /** Called for each part that the operating system does not accept at once. */
  readonly onWait: () => void
  /** Called when the operating system has accepted the whole body. */
  readonly onDone: () => void
}

/** Returns true if a body must be written in parts. */
export function isLong(body: string | Buffer | undefined): body is Buffer {
  return Buffer.isBuffer(body) && body.length > PART_BYTES
}

/**
 * Writes a body in parts. Each part is written in a later turn of the event loop than the previous part, and only after
 * the operating system has accepted the previous part. Between parts, other requests are served. After the stream was
 * destroyed, nothing is written and no callback is called.
 */
export function writeInParts(stream: Writable, body: Buffer, { onWait, onDone }: LongBodyCallbacks): void {
  let at = 0
  const next = (): void => {
    if (!stream.writable) return
    const part = body.subarray(at, at + PART_BYTES)
    at += part.length
    let isTaken = false
    stream.write(part, (error) => {
      isTaken = true
      if (error) return
      if (at >= body.length) onDone()
      else setImmediate(next)
    })
    // the stream is corked, and everything written to it is sent at the end of this turn
    setImmediate(() => {
      if (!isTaken) onWait()
    })
  }
  next()
}
