import { Problem } from '@burgee/protocol/problem'
import { isCommonPassword } from './common-passwords.ts'
import { isOfContext } from './context-words.ts'
import { countFreeCharacters, periodOf } from './predictable-text.ts'

const LEAST_LENGTH = 10
/** Fewest characters that do not follow from the one before. */
const MIN_FREE_CHARACTERS = 5
/** Shorter endings like the beginning are chance. */
const MIN_REPEATED = 3

/**
 * Refuses passwords that are easily guessed: short ones, common ones (also with a year, with digits as everybody adds
 * them, or repeated), a short piece repeated, a few runs of the alphabet, of digits or of neighbouring keys, a
 * person's own name, and what has little but words that are expected here. Their kinds of characters do not matter. Throws PasswordWeakError.
 */
export function requireStrong(password: string, names: readonly (string | null | undefined)[] = []): void {
  const reason = weaknessOf(password, names)
  if (reason === undefined) return
  const message = `The password ${reason}.`
  throw new Problem('PasswordWeakError', message, { details: [{ message, path: 'body/password' }] })
}

/** Returns true if `requireStrong` takes the password. */
export function isStrong(password: string, names: readonly (string | null | undefined)[] = []): boolean {
  return weaknessOf(password, names) === undefined
}

function weaknessOf(password: string, names: readonly (string | null | undefined)[]): string | undefined {
  if ([...password].length < LEAST_LENGTH) return `must be at least ${LEAST_LENGTH} characters long`
  const plain = password.toLowerCase()
  const word = withoutMarks(plain)
  if (isCommonPassword(plain) || isCommonPassword(word)) return 'is one of the most common ones'
  if (onceOf(word).some(isCommonPassword)) return 'is a common word repeated'
  if (/^(.{1,4})\1+.?$/su.test(plain) || isRepeated(plain) || isRepeated(word)) return 'only repeats a few characters'
  if (countFreeCharacters(plain) < MIN_FREE_CHARACTERS) return 'is a run of neighbouring characters'
  if (withoutNumber(word).some(isCommonPassword)) return 'is a common word with a year or a run of digits'
  if (names.some((name) => name != null && name.toLowerCase() === plain)) return 'must not be the name of its owner'
  if (isOfContext(plain, names)) return 'is made of words that are expected here'
  return undefined
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const YEAR = /^(19|20)\d\d$/
const DIGITS_IN_ORDER = '1234567890'

/** Without what is no letter and no digit at both ends. */
function withoutMarks(text: string): string {
  const chars = [...text]
  const isKept = (char: string) => LETTER_OR_DIGIT.test(char)
  return chars.slice(Math.max(0, chars.findIndex(isKept)), chars.findLastIndex(isKept) + 1).join('')
}

/** What is left of a word without a year at either end, or without `1`, `12`, `123` … at its end. */
function withoutNumber(word: string): string[] {
  const [digits = ''] = /\d*$/.exec(word) ?? []
  return [
    ...(YEAR.test(word.slice(-4)) ? [word.slice(0, -4)] : []),
    ...(YEAR.test(word.slice(0, 4)) ? [word.slice(4)] : []),
    ...(digits !== '' && DIGITS_IN_ORDER.startsWith(digits) ? [word.slice(0, -digits.length)] : []),
  ].map(withoutMarks)
}

/** The pieces that make up the whole text when they are repeated. */
function onceOf(text: string): string[] {
  const lengths = Array.from({ length: Math.floor(text.length / 2) }, (_, at) => at + 1)
  const fitting = lengths.filter((length) => text.length % length === 0)
  return fitting
    .map((length) => text.slice(0, length))
    .filter((piece) => piece.repeat(text.length / piece.length) === text)
}

/** True for a piece that would be too short itself, and its repetition, as in `abcd1234abcd`. */
function isRepeated(text: string): boolean {
  const period = periodOf(text)
  return period < LEAST_LENGTH && text.length - period >= MIN_REPEATED
}
