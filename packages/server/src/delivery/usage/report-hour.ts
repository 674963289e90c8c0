/** Length of the intervals in which usage is counted, in milliseconds. */
export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Returns the start of the hour that a report counts toward, in milliseconds since 1970. The hour is taken from `stop`,
 * the end of the reported interval (SDK timestamp as text, or milliseconds). If the clock of the SDK is far off, the
 * report counts toward the current hour.
 */
export function getReportHour(stop: string | number, now: number): number {
  const ended = new Date(stop).getTime()
  const isPlausible = ended <= now && ended > now - DAY_MS
  const time = isPlausible ? ended : now
  return time - (time % HOUR_MS)
}
