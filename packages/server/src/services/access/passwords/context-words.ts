/** Words that attackers try first at a flag service. docs/people.md lists them. */
export const CONTEXT_WORDS = [
  'administrator',
  'admin',
  'burgee',
  'changeme',
  'development',
  'editor',
  'feature',
  'flag',
  'login',
  'owner',
  'password',
  'production',
  'release',
  'rollout',
  'staging',
  'toggle',
  'unleash',
  'viewer',
  'welcome',
] as const

/** Fewest letters and digits that a password must have besides such words. */
const MIN_OTHER_CHARACTERS = 5
/** Shorter parts of names are chance. */
const MIN_NAME_LENGTH = 3
const LETTERS_AND_DIGITS = /[^\p{L}\p{N}]+/u

/**
 * True if a password has hardly anything but words of the context: those above, and parts of its owner's username and e-mail address.
 *
 * @param plain in lower case
 */
export function isOfContext(plain: string, names: readonly (string | null | undefined)[]): boolean {
  const parts = names.flatMap((name) => (name ?? '').toLowerCase().split(LETTERS_AND_DIGITS))
  const words = [...CONTEXT_WORDS, ...parts.filter((part) => part.length >= MIN_NAME_LENGTH)]
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), plain)
  if (rest === plain) return false
  return [...rest.split(LETTERS_AND_DIGITS).join('')].length < MIN_OTHER_CHARACTERS
}
