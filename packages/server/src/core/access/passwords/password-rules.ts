import { Problem } from '@burgee/protocol/problem'
import { isCommonPassword } from './common-passwords.ts'
import { countFreeCharacters, getPeriod } from './predictable-text.ts'
import { consistsOfContextWords } from './predictable-words.ts'

const MIN_LENGTH = 10
/** Minimum number of characters in a password that do not continue a run (see `countFreeCharacters`). */
const MIN_FREE_CHARACTERS = 5
/** Minimum number of characters above which a repetition is counted. Shorter repetitions occur by chance. */
const MIN_REPEATED = 3

/**
 * Rejects passwords that are easy to guess: short passwords and common passwords, including common ones that are
 * repeated or extended with a year or a usual digit suffix. Also rejects repetitions of a short piece, runs of letters,
 * digits or neighbouring keys, the user's own name, and passwords that consist mostly of context words. Does not
 * require certain kinds of characters. Throws PasswordWeakError.
 */
export function requireStrong(password: string, names: readonly (string | null | undefined)[] = []): void {
  const reason = findWeakness(password, names)
  if (reason === undefined) return
  const message = `The password ${reason}.`
  throw new Problem('PasswordWeakError', message, { details: [{ message, path: 'body/password' }] })
}

/** Returns true if `requireStrong` accepts the password. */
export function isStrong(password: string, names: readonly (string | null | undefined)[] = []): boolean {
  return findWeakness(password, names) === undefined
}

function findWeakness(password: string, names: readonly (string | null | undefined)[]): string | undefined {
  if ([...password].length < MIN_LENGTH) return `must be at least ${MIN_LENGTH} characters long`
  const plain = password.toLowerCase()
  const word = withoutMarks(plain)
  if (isCommonPassword(plain) || isCommonPassword(word)) return 'is one of the most common ones'
  if (listRepeatedUnits(word).some(isCommonPassword)) return 'is a common word repeated'
  if (/^(.{1,4})\1+.?$/su.test(plain) || isRepeated(plain) || isRepeated(word)) return 'only repeats a few characters'
  if (countFreeCharacters(plain) < MIN_FREE_CHARACTERS) return 'is a sequence of adjacent characters'
  if (withoutNumber(word).some(isCommonPassword)) return 'is a common word with a year or a sequence of digits'
  if (names.some((name) => name != null && name.toLowerCase() === plain)) return 'must not be the name of its owner'
  if (consistsOfContextWords(plain, names)) return 'consists of predictable words'
  return undefined
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const YEAR = /^(19|20)\d\d$/
const DIGITS_IN_ORDER = '1234567890'

/** Strips leading and trailing characters that are neither letters nor digits. */
function withoutMarks(text: string): string {
  const chars = [...text]
  const isLetterOrDigit = (char: string) => LETTER_OR_DIGIT.test(char)
  return chars.slice(Math.max(0, chars.findIndex(isLetterOrDigit)), chars.findLastIndex(isLetterOrDigit) + 1).join('')
}

/**
 * Returns variants of the word: without a year at the beginning or end, and without a trailing `1`, `12`, `123`… If the
 * word contains none of these parts, returns no variant.
 */
function withoutNumber(word: string): string[] {
  const [digits = ''] = /\d*$/.exec(word) ?? []
  return [
    ...(YEAR.test(word.slice(-4)) ? [word.slice(0, -4)] : []),
    ...(YEAR.test(word.slice(0, 4)) ? [word.slice(4)] : []),
    ...(digits !== '' && DIGITS_IN_ORDER.startsWith(digits) ? [word.slice(0, -digits.length)] : []),
  ].map(withoutMarks)
}

/** Returns all pieces whose repetition yields the whole text. */
function listRepeatedUnits(text: string): string[] {
  const lengths = Array.from({ length: Math.floor(text.length / 2) }, (_, at) => at + 1)
  const fitting = lengths.filter((length) => text.length % length === 0)
  return fitting
    .map((length) => text.slice(0, length))
    .filter((piece) => piece.repeat(text.length / piece.length) === text)
}

/**
 * Returns true if the text is the repetition of a piece that is too short to be a password by itself, as in
 * `abcd1234abcd`.
 */
function isRepeated(text: string): boolean {
  const period = getPeriod(text)
  return period < MIN_LENGTH && text.length - period >= MIN_REPEATED
}
