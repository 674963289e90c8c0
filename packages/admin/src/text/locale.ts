/**
 * The locale to write a language in: of several ways to write it, the first that the browser asks for and that is one.
 * Browsers pass on what the system says, which need not be a language tag (`en-US@posix`).
 *
 * @param wanted as `navigator.languages` lists them
 */
export function localeFor(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.slice(0, 2) === language && isTag(tag)) ?? language
}

/** Whether formatters take it. Source: BCP 47, which they throw a RangeError for. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
