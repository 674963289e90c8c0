/** Tests whether a character belongs to a class. */
export type CharacterTest = (character: string) => boolean

interface CharacterClass {
  readonly test: CharacterTest
  /** Index of the closing bracket of the class. */
  readonly end: number
}

/** Named classes. Source: POSIX.1-2017 §9.3.5, for ASCII */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t-\r]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
}

/**
 * Parses the class that begins at an index, such as `[a-z_]`, `[!0-9]` or `[[:alpha:]]`. Returns undefined if the class
 * is not closed, or contains an unknown class name.
 */
export function parseCharacterClass(text: string, start: number): CharacterClass | undefined {
  let at = start + 1
  const isNegated = text[at] === '!' || text[at] === '^'
  if (isNegated) at += 1
  const tests: CharacterTest[] = []
  for (let isFirst = true; isFirst || text[at] !== ']'; isFirst = false) {
    const named = /^\[:([a-z]*):\]/.exec(text.slice(at, at + MAX_NAME))
    if (named !== null) {
      const pattern = NAMED[named[1] as string]
      if (pattern === undefined) return undefined
      tests.push((character) => pattern.test(character))
      at += named[0].length
      continue
    }
    const from = readCharacter(text, at)
    if (from === undefined) return undefined
    at = from.next
    const to = text[at] === '-' && text[at + 1] !== ']' ? readCharacter(text, at + 1) : from
    if (to === undefined) return undefined
    at = to.next
    tests.push((character) => character >= from.character && character <= to.character)
  }
  return { test: (character) => tests.some((one) => one(character)) !== isNegated, end: at }
}

/** Maximum length of a named class, including its brackets. */
const MAX_NAME = 12

/** Reads one character, optionally preceded by a backslash. Returns undefined at the end of the text. */
function readCharacter(text: string, at: number): { readonly character: string; readonly next: number } | undefined {
  const index = text[at] === '\\' ? at + 1 : at
  const character = text[index]
  return character === undefined ? undefined : { character, next: index + 1 }
}
