/**
 * The locale to write a language in: of several ways to write it, the first that the browser asks for and that is one.
 * Browsers pass on what the system says, which need not be a language tag (`en-US@posix`).
 *
 * @param wanted as `navigator.languages` lists them
 */
export function localeFor(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.slice(0, 2) === language && isTag(tag)) ?? language
}

const PLAIN = /^[a-z]{2}(-[A-Z]{2})?$/

/**
 * Whether formatters take it; of a plain one they are not asked, for their first answer takes long. Source: BCP 47, for
 * which they throw a RangeError.
 */
function isTag(tag: string): boolean {
  if (PLAIN.test(tag)) return true
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
