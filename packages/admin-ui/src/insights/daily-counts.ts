const DAY_MS = 86_400_000

/** Number of events on one day (UTC), such as `2026-03-01`. */
export interface DailyCount {
  readonly date: string
  readonly count: number
}

/** Returns the counts of the last days up to today, oldest first. Days without events have the count 0. */
export function listDailyCounts(known: readonly DailyCount[], now: Date, days: number): DailyCount[] {
  const counts = new Map(known.map(({ date, count }) => [date, count]))
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(now.getTime() - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { date, count: counts.get(date) ?? 0 }
  })
}

/** Returns the sum of daily counts. */
export const sumDays = (days: readonly DailyCount[]): number => days.reduce((sum, { count }) => sum + count, 0)
