/** Between each three digits, in locales that write whole numbers with nothing else. */
const SEPARATORS: Readonly<Record<string, string>> = {
  ...{ en: ',', 'en-AU': ',', 'en-CA': ',', 'en-GB': ',', 'en-IE': ',', 'en-NZ': ',', 'en-US': ',' },
  ...{ de: '.', 'de-DE': '.' },
}
const THREE_DIGITS = /\B(?=(\d{3})+$)/g
/** Smaller ones have nothing to separate. */
const LEAST_GROUPED = 1000

/**
 * Writes a whole number of at least 0 as `Intl.NumberFormat` does; undefined for others, and for larger ones in locales
 * that group in another way. The first use of `Intl` takes a browser 20 to 40 ms, for which no view should wait.
 */
export function groupedNumber(value: number, locale: string): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined
  if (value < LEAST_GROUPED) return String(value)
  const separator = SEPARATORS[locale]
  return separator && String(value).replace(THREE_DIGITS, separator)
}
