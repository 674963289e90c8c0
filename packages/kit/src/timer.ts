/** Maximum delay of a platform timer. With a longer delay, a timer would fire at once. */
const MAX_DELAY_MS = 2_147_483_647

/** Calls `call` once after `ms`, or after the maximum delay of a timer (25 days) if `ms` is greater. */
export function startTimer(ms: number, call: () => void): NodeJS.Timeout {
  return setTimeout(call, Math.min(Math.max(ms, 1), MAX_DELAY_MS))
}
