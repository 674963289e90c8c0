/** Words that attackers try first against a flag service. The words are listed in docs/people.md. */
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

/** Minimum number of letters and digits that a password must contain besides context words. */
const MIN_OTHER_CHARACTERS = 5
/** Minimum length of the parts of a name that are compared with a password. Shorter parts match by chance. */
const MIN_NAME_LENGTH = 3
const LETTERS_AND_DIGITS = /[^\p{L}\p{N}]+/u

/**
 * Returns true if a password consists almost only of context words: `CONTEXT_WORDS`, and parts of its owner's username
 * and e-mail address.
 *
 * @param plain password in lower case
 */
export function consistsOfContextWords(plain: string, names: readonly (string | null | undefined)[]): boolean {
  const parts = names.flatMap((name) => (name ?? '').toLowerCase().split(LETTERS_AND_DIGITS))
  const words = [...CONTEXT_WORDS, ...parts.filter((part) => part.length >= MIN_NAME_LENGTH)]
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), plain)
  if (rest === plain) return false
  return [...rest.split(LETTERS_AND_DIGITS).join('')].length < MIN_OTHER_CHARACTERS
}
