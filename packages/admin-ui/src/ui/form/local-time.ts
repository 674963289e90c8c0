const MINUTE_MS = 60_000

/** Formats a time for a `datetime-local` field, in the user's time zone; empty if invalid. */
export function toLocalTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** Converts the value of a `datetime-local` field to ISO 8601; empty if the value is empty. */
export function toIsoTime(local: string): string {
  return local === '' ? '' : new Date(local).toISOString()
}
