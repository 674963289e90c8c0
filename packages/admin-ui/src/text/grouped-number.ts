/** Thousands separators of locales that group the digits of whole numbers in threes. */
const SEPARATORS: Readonly<Record<string, string>> = {
  en: ',',
  'en-AU': ',',
  'en-CA': ',',
  'en-GB': ',',
  'en-IE': ',',
  'en-NZ': ',',
  'en-US': ',',
  de: '.',
  'de-DE': '.',
}
const THREE_DIGITS = /\B(?=(\d{3})+$)/g
/** Smallest number that is written with a thousands separator. */
const MIN_GROUPED = 1000

/**
 * Formats a whole number of at least 0 in the same way as `Intl.NumberFormat`. Returns undefined for other numbers, and
 * for large numbers in locales that group digits differently. Avoids `Intl`, whose first use takes 20 to 40 ms in
 * browsers and would delay the first view.
 */
export function formatGroupedNumber(value: number, locale: string): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined
  if (value < MIN_GROUPED) return String(value)
  const separator = SEPARATORS[locale]
  return separator && String(value).replace(THREE_DIGITS, separator)
}
