/**
 * Returns the locale in which to format a language: the first valid locale for it among the browser's preferences.
 * Invalid tags can occur, because browsers pass on system settings that are not valid language tags (`en-US@posix`).
 * @param wanted the user's preferences in the form of `navigator.languages`
 */
export function selectLocale(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.slice(0, 2) === language && isTag(tag)) ?? language
}

const PLAIN = /^[a-z]{2}(-[A-Z]{2})?$/

/**
 * Returns true if `Intl` formatters accept the language tag. Simple tags are checked without a formatter, because the
 * first call of a formatter is slow. Source: BCP 47; formatters throw a RangeError for invalid tags.
 */
function isTag(tag: string): boolean {
  if (PLAIN.test(tag)) return true
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
