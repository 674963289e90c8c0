const SECONDS = /^\d{1,9}$/
const HTTP_DATE =
  /^(?:[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} [\d:]{8} GMT|[A-Za-z]{3} [A-Za-z]{3} [ \d]\d [\d:]{8} \d{4})$/
const MS_PER_SECOND = 1000

/** Reply headers, with the interface of `Headers` in `fetch`. */
interface ReplyHeaders {
  get(name: string): string | null
}

/**
 * Returns the number of milliseconds to wait according to `Retry-After`; undefined if the header is missing or invalid.
 * A date is compared with the `Date` header of the same reply, so that the local clock does not matter. If the reply
 * has no `Date` header, a date is treated as invalid. Source: RFC 9110, section 10.2.3
 */
export function parseRetryAfter(headers: ReplyHeaders): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (SECONDS.test(value)) return Number(value) * MS_PER_SECOND
  const waitMs = parseHttpDate(value) - parseHttpDate(headers.get('date')?.trim() ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/** Parses a date. Returns NaN for text in none of the three HTTP date formats. */
function parseHttpDate(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}
