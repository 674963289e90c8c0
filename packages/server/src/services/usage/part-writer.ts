import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { WritePace } from './write-pace.ts'

/** Rows per transaction: takes some milliseconds. */
const MOST_AT_ONCE = 500

/** Settings for writing a list in parts. */
export interface PartWriter<T> {
  /** Writes one part in one transaction. */
  readonly write: (part: readonly T[]) => Promise<void>
  /** Called after each part with the rest of the list, which is not written yet. */
  readonly left: (rest: readonly T[]) => void
  readonly pace: WritePace
  /** Returns true if a caller waits for the end; the pause between parts is then only one turn of the event loop. */
  readonly isHurried: () => boolean
}

/**
 * Writes a list in small transactions, with a pause after each: the embedded database runs nothing else during a
 * transaction. Resolves to the total time of the transactions in milliseconds. Rejects if a write rejects.
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
