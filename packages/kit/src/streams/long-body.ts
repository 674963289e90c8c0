import type { Writable } from 'node:stream'

/**
 * Size of a part written at once: the operating system copies it synchronously, and longer parts would block the event
 * loop for milliseconds.
 */
const PART_BYTES = 256 * 1024

/** Callbacks of `writeInParts`. */
export interface LongBodyCallbacks {
  /** Called for each part that the client does not take at once. */
  readonly onWait: () => void
  /** Called when the operating system has taken everything. */
  readonly onDone: () => void
}

/** Returns true if a body is written in parts. */
export function isLong(body: string | Buffer | undefined): body is Buffer {
  return Buffer.isBuffer(body) && body.length > PART_BYTES
}

/**
 * Writes a body in parts. Each part follows in a later event loop turn, once the operating system has taken the
 * previous one, so that other requests are served in between. After the stream is destroyed, writes nothing and calls
 * no callbacks.
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
    // corked data is written at the end of this turn
    setImmediate(() => {
      if (!isTaken) onWait()
    })
  }
  next()
}
