import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { WritePace } from './write-pace.ts'

/** Maximum number of rows per transaction. Such a transaction takes a few milliseconds. */
const MAX_ROWS_PER_TRANSACTION = 500

/** Buffer for one kind of usage data, such as flag counts. */
export interface ReportBuffer<T> {
  /** Word that describes a row in the debug log. */
  readonly kind: string
  /** Returns the buffered rows and empties the buffer. */
  readonly drain: () => readonly T[]
  /** Writes rows in one transaction. */
  readonly write: (rows: readonly T[]) => Promise<unknown>
  /**
   * Puts rows that could not be written back into the buffer. Data reported since the rows were drained takes
   * precedence.
   */
  readonly restore: (rows: readonly T[]) => void
}

/** Pauses between the transactions of a write. */
export interface WritePauses {
  readonly pace: WritePace
  /**
   * Returns true if a caller is waiting until all rows are written. In this case, the pause between transactions lasts
   * only one iteration of the event loop.
   */
  readonly isUrgent: () => boolean
}

/** Rows that were drained from a buffer in order to be written. */
export interface DrainedRows {
  readonly kind: string
  /** Number of rows that were drained. */
  readonly size: number
  /**
   * Writes the rows in small transactions, with a pause after each, because the embedded database runs nothing else
   * during a transaction. Resolves to the total duration of the transactions in milliseconds. Rejects if a write
   * rejects.
   */
  write(pauses: WritePauses): Promise<number>
  /** Puts the rows that were not written back into the buffer. */
  restore(): void
}

/** Drains a buffer. The caller then writes the rows. If a write fails, the caller restores the remaining rows. */
export function drainBuffer<T>({ kind, drain, write, restore }: ReportBuffer<T>): DrainedRows {
  let rest = drain()
  return {
    kind,
    size: rest.length,
    async write({ pace, isUrgent }) {
      let allMs = 0
      while (rest.length > 0) {
        const sinceMs = performance.now()
        await write(rest.slice(0, MAX_ROWS_PER_TRANSACTION))
        rest = rest.slice(MAX_ROWS_PER_TRANSACTION)
        const tookMs = performance.now() - sinceMs
        allMs += tookMs
        if (rest.length === 0 || isUrgent()) await setImmediate()
        else await pause(pace.getInnerPauseMs(tookMs))
      }
      return allMs
    },
    restore: () => restore(rest),
  }
}
