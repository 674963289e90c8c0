import type { Language } from './languages.ts'
import { selectLocale } from './locale.ts'
import { formatTimeAgo } from './time-ago.ts'

/**
 * Formats a date operand in the user's time zone, with the distance from now, such as "Nov 29, 2026, 9:44 AM (in 2
 * hours)". Returns other values unchanged.
 */
export function formatDateOperand(language: Language, value: string, now = Date.now()): string {
  const at = Date.parse(value)
  if (Number.isNaN(at)) return value
  const locale = selectLocale(language, navigator.languages)
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
  const distance = formatTimeAgo(at - now, language)
  return distance === undefined ? time : `${time} (${distance})`
}
