import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { WritePace } from './write-pace.ts'

/** Rows of one transaction: some milliseconds. */
const MOST_AT_ONCE = 500

/** How the parts of a list are written. */
export interface PartWriter<T> {
  /** One transaction. */
  readonly write: (part: readonly T[]) => Promise<void>
  /** Hears what is still to be written, after each part. */
  readonly left: (rest: readonly T[]) => void
  readonly pace: WritePace
  /** Whether somebody waits for the end: then other work has a turn of the event loop only. */
  readonly isHurried: () => boolean
}

/**
 * Writes a list in small transactions, with a pause for other work after each: on the embedded database nothing else runs
 * during a transaction. Answers how long the transactions took, in milliseconds. Rejects with what a write rejects with.
 */
export async function writeInParts<T>(list: readonly T[], writer: PartWriter<T>): Promise<number> {
  let [rest, allMs] = [list, 0]
  while (rest.length > 0) {
    const sinceMs = performance.now()
    await writer.write(rest.slice(0, MOST_AT_ONCE))
    rest = rest.slice(MOST_AT_ONCE)
    writer.left(rest)
    const tookMs = performance.now() - sinceMs
    allMs += tookMs
    if (rest.length === 0 || writer.isHurried()) await setImmediate()
    else await pause(writer.pace.pauseInsideMs(tookMs))
  }
  return allMs
}
