const MINUTE_MS = 60_000

/** A time as the browser's field shows it: in the person's zone, without it; empty where it is none. */
export function localOf(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** What somebody put into such a field, as an instant; empty where that is nothing. */
export function isoOf(local: string): string {
  return local === '' ? '' : new Date(local).toISOString()
}
