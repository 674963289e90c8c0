declare const MONOTONIC: unique symbol

/**
 * Milliseconds since an arbitrary time, which setting the system clock does not change. For durations, pauses, deadlines and
 * ages within one process; what is stored, shown or compared between processes takes the wall clock. The types keep one from
 * being passed for the other.
 */
export type MonotonicClock = (() => number) & { readonly [MONOTONIC]: true }

/** Declares that a function never goes back or jumps. */
export function monotonicClock(read: () => number): MonotonicClock {
  return read as MonotonicClock
}

/** Monotonic clock of this process. */
export const PROCESS_CLOCK: MonotonicClock = monotonicClock(() => performance.now())
