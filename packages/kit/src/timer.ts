/** A timer that is told to wait longer fires at once. */
const LONGEST_MS = 2_147_483_647

/** Calls once, after `ms`, but at the latest when the longest time has passed that a timer can wait (25 days). */
export function after(ms: number, call: () => void): NodeJS.Timeout {
  return setTimeout(call, Math.min(Math.max(ms, 1), LONGEST_MS))
}
