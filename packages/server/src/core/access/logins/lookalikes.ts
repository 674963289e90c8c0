/** Control, format and unassigned characters, such as a zero-width space. */
const INVISIBLE = /\p{C}/u

/**
 * Alphabets that a name may use. Rare alphabets are missing, because their letters are mostly used to imitate Latin
 * letters.
 */
const SCRIPTS = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Ethiopic',
  'Devanagari',
  'Bengali',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
].map((script) => ({ script, pattern: new RegExp(`\\p{Script=${script}}`, 'u') }))

/** East Asian scripts, which are mixed with each other and with Latin letters. */
const EAST_ASIAN = new Set(['Latin', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'])

/** Letters, marks, ASCII punctuation and digits, but not the Latin letters used in phonetic notation. */
const PLAIN =
  /^(?:[ -~]|[\u{c0}-\u{17f}\u{1a0}\u{1a1}\u{1af}\u{1b0}\u{218}-\u{21b}\u{1e00}-\u{1eff}]|(?!\p{Script=Latin})[\p{Lo}\p{Ll}\p{Lu}\p{M}ー])+$/u

/**
 * Pairs of a letter and the Latin letter or digit that it resembles. Capital letters come first, because they are
 * replaced before the text becomes lower case.
 */
const LOOKALIKES = parsePairs(`
  ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ҮY ӀI ԚQ ԜW ՏS ՍU ՕO ԼL
  αa βb γy εe ηn ιi κk μu νv οo ρp σo ςc τt υu χx ωw ϲc ϳj
  аa бb вb гr еe єe зz иu іi јj кk лn мm нh оo пn рp сc тt уy хx чy шw ьb ѕs һh ӏl ԁd ԍg ԛq ԝw ѵv ғf ұy үy ҝk
  աw գq զq լl հh յj նu ոn ռn սu ցg քp օo
  ıi łl đd ðd ħh ŧt øo þp ŋn ĸk ßb æa œo 0o 1l il |l
`)

const NAME_ENDS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

function parsePairs(text: string): ReadonlyMap<string, string> {
  const pairs = text.trim().split(/\s+/)
  return new Map(pairs.map((pair) => [pair.slice(0, -1), pair.slice(-1)]))
}

/**
 * Returns a form of a username or e-mail address that is the same for all names that people could confuse: without
 * case, accents and punctuation at the ends, and with one common letter for all letters that look alike.
 */
export function toSkeleton(name: string): string {
  const decomposed = name.normalize('NFKD').replaceAll(/[\p{M}\p{C}]/gu, '')
  const latin = replaceLookalikes(replaceLookalikes(decomposed).toLowerCase())
  return latin.replaceAll(NAME_ENDS, '').replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll(/ +/g, ' ')
}

function replaceLookalikes(text: string): string {
  return [...text].map((letter) => LOOKALIKES.get(letter) ?? letter).join('')
}

/**
 * Returns the reason why a name could deceive people, regardless of who chose it: invisible characters or several
 * alphabets. Returns undefined if there is no such reason.
 */
export function findNameProblem(name: string): string | undefined {
  if (INVISIBLE.test(name)) return 'must not contain control or invisible characters'
  const used = listScripts(name)
  const isMixed = used.length > 1 && !used.every((script) => EAST_ASIAN.has(script))
  return isMixed ? `must not mix letters of several alphabets (${used.join(', ')})` : undefined
}

/**
 * Returns the reason why a stranger must not choose a name: the reasons of `findNameProblem`, and symbols, phonetic
 * letters or rare alphabets. Returns undefined if there is no such reason. Expects a part of an e-mail address or a
 * username.
 */
export function findStrangerNameProblem(name: string): string | undefined {
  const problem = findNameProblem(name)
  if (problem !== undefined) return problem
  const folded = name.normalize('NFKC')
  const isKnown = [...folded].every(
    (letter) => !/[\p{L}\p{M}]/u.test(letter) || /\p{M}/u.test(letter) || hasScript(letter),
  )
  return isKnown && PLAIN.test(folded) ? undefined : 'must consist of letters, ASCII digits and ASCII punctuation'
}

/** Returns true if a name is written in an alphabet other than Latin. */
export function isNonLatin(name: string): boolean {
  return listScripts(name).some((script) => script !== 'Latin')
}

function hasScript(letter: string): boolean {
  return letter === 'ー' || SCRIPTS.some(({ pattern }) => pattern.test(letter))
}

function listScripts(name: string): string[] {
  const text = name.normalize('NFKC')
  return SCRIPTS.filter(({ pattern }) => pattern.test(text)).map(({ script }) => script)
}
