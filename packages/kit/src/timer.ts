/** Longest delay of a timer; a longer one fires at once. */
const MAX_DELAY_MS = 2_147_483_647

/** Calls once after `ms`, but no later than the longest delay of a timer (25 days). */
export function startTimer(ms: number, call: () => void): NodeJS.Timeout {
  return setTimeout(call, Math.min(Math.max(ms, 1), MAX_DELAY_MS))
}
