const DAY_MS = 86_400_000

/** Returns the time that is the given number of days from now, as an ISO 8601 string. */
export const getTimeInDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()
