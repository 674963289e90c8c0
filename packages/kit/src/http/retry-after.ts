const SECONDS = /^\d{1,9}$/
const HTTP_DATE =
  /^(?:[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} [\d:]{8} GMT|[A-Za-z]{3} [A-Za-z]{3} [ \d]\d [\d:]{8} \d{4})$/
const MS_PER_SECOND = 1000

/** Headers of a reply, as `fetch` has them. */
interface ReplyHeaders {
  get(name: string): string | null
}

/**
 * Returns how many milliseconds a reply asks its caller to wait (`Retry-After`), or undefined if it does not say or cannot be
 * read. A date is compared with the `Date` of the same reply, so that the clock of this machine plays no part; without one
 * it cannot be read. Source: RFC 9110, section 10.2.3
 */
export function readRetryAfter(headers: ReplyHeaders): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (SECONDS.test(value)) return Number(value) * MS_PER_SECOND
  const waitMs = parseHttpDate(value) - parseHttpDate(headers.get('date')?.trim() ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/** Returns NaN for anything but the three forms of HTTP. */
function parseHttpDate(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}
