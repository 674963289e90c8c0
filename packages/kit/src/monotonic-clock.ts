declare const MONOTONIC: unique symbol

/**
 * Clock that returns milliseconds since an arbitrary starting point, unaffected by changes to the system clock. Use
 * this clock for durations, pauses, deadlines and ages within one process. Use the wall clock for times that are
 * stored, displayed or exchanged. The types prevent mixing up the two clocks.
 */
export type MonotonicClock = (() => number) & { readonly [MONOTONIC]: true }

/** Marks a function as a monotonic clock. */
export function monotonicClock(read: () => number): MonotonicClock {
  return read as MonotonicClock
}

/** Monotonic clock of this process. */
export const PROCESS_CLOCK: MonotonicClock = monotonicClock(() => performance.now())
