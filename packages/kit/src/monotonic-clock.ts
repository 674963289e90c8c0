declare const MONOTONIC: unique symbol

/**
 * Clock that returns milliseconds since an arbitrary time, unaffected by changes of the system clock. For durations,
 * pauses, deadlines and ages within one process. Stored, displayed or exchanged times use the wall clock. The types
 * prevent mixing them up.
 */
export type MonotonicClock = (() => number) & { readonly [MONOTONIC]: true }

/** Declares that a function is monotonic. */
export function monotonicClock(read: () => number): MonotonicClock {
  return read as MonotonicClock
}

/** Monotonic clock of this process. */
export const PROCESS_CLOCK: MonotonicClock = monotonicClock(() => performance.now())
