/** Usage is counted by the hour. */
export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The hour that a report counts for, its start in milliseconds since 1970: when its stretch of time ended (text as SDKs
 * write times, or milliseconds), unless an SDK's clock is far off, then now.
 */
export function hourOf(stop: string | number, now: number): number {
  const ended = new Date(stop).getTime()
  const isPlausible = ended <= now && ended > now - DAY_MS
  const time = isPlausible ? ended : now
  return time - (time % HOUR_MS)
}
