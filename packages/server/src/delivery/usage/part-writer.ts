import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { WritePace } from './write-pace.ts'

/** Maximum number of rows per transaction, which then takes some milliseconds. */
const MAX_ROWS_PER_TRANSACTION = 500

/** Settings for writing a list in parts. */
export interface PartWriter<T> {
  /** Writes one part in one transaction. */
  readonly write: (part: readonly T[]) => Promise<void>
  /** Called after each part with the rest of the list, which has not been written yet. */
  readonly onRemaining: (rest: readonly T[]) => void
  readonly pace: WritePace
  /**
   * Returns true if a caller waits for the end. The pause between parts then lasts only one iteration of the event
   * loop.
   */
  readonly isUrgent: () => boolean
}

/**
 * Writes a list in small transactions, with a pause after each, because the embedded database runs nothing else during
 * a transaction. Resolves to the total time of the transactions in milliseconds. Rejects if a write rejects.
 */
export async function writeInParts<T>(list: readonly T[], writer: PartWriter<T>): Promise<number> {
  let [rest, allMs] = [list, 0]
  while (rest.length > 0) {
    const sinceMs = performance.now()
    await writer.write(rest.slice(0, MAX_ROWS_PER_TRANSACTION))
    rest = rest.slice(MAX_ROWS_PER_TRANSACTION)
    writer.onRemaining(rest)
    const tookMs = performance.now() - sinceMs
    allMs += tookMs
    if (rest.length === 0 || writer.isUrgent()) await setImmediate()
    else await pause(writer.pace.getInnerPauseMs(tookMs))
  }
  return allMs
}
