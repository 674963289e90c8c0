import { type CharacterTest, parseCharacterClass } from './character-class.ts'
import { matchWildcards, STAR, type Step } from './match-wildcards.ts'

/** Result of a `.gitignore` for a path. Both are false if no pattern matches. */
export interface IgnoreResult {
  readonly isIgnored: boolean
  readonly isIncluded: boolean
}

interface Rule {
  /** Steps for the parts of a path; each part has steps for its characters. */
  readonly parts: readonly Step<string>[]
  readonly isForFolders: boolean
  readonly isInclusion: boolean
}

const BYTE_ORDER_MARK = /^\uFEFF/
const NO_RESULT: IgnoreResult = { isIgnored: false, isIncluded: false }
/** Part that must exist, with any name. */
const ANY_PART: Step<string> = () => true

/**
 * Patterns of a `.gitignore`. The work of a test is linear in pattern and path, because both can come from a stranger.
 * Source: https://git-scm.com/docs/gitignore
 */
export class IgnoreRules {
  readonly #rules: readonly Rule[]

  constructor(text: string) {
    this.#rules = text.replace(BYTE_ORDER_MARK, '').split(/\r?\n/).flatMap(parseRule)
  }

  /**
   * Tests a path relative to the folder of the `.gitignore`, with `/` between its parts and at the end of a folder. A
   * path in an ignored folder is ignored.
   */
  test(path: string): IgnoreResult {
    const isFolder = path.endsWith('/')
    const parts = path.split('/').filter((part) => part !== '')
    for (let depth = 1; depth < parts.length; depth += 1) {
      const result = this.#testExactly(parts.slice(0, depth), true)
      if (result.isIgnored) return result
    }
    return this.#testExactly(parts, isFolder)
  }

  #testExactly(parts: readonly string[], isFolder: boolean): IgnoreResult {
    const rule = this.#rules.findLast((one) => (isFolder || !one.isForFolders) && matchWildcards(one.parts, parts))
    return rule === undefined ? NO_RESULT : { isIgnored: !rule.isInclusion, isIncluded: rule.isInclusion }
  }
}

/** Parses a line. Returns an empty list for a comment, an empty line and an invalid pattern. */
function parseRule(line: string): Rule[] {
  if (line.startsWith('#')) return []
  const isInclusion = line.startsWith('!')
  const text = trimEnd(isInclusion ? line.slice(1) : line)
  const isForFolders = text.endsWith('/')
  const pattern = isForFolders ? text.slice(0, -1) : text
  if (pattern === '') return []
  const isAnchored = pattern.includes('/')
  const names = (isAnchored ? pattern.replace(/^\//, '') : pattern).split('/')
  const parts: Step<string>[] = isAnchored ? [] : [STAR]
  for (const [index, name] of names.entries()) {
    if (name === '**' && isAnchored) {
      // the contents of a folder, without the folder
      if (index > 0 && index === names.length - 1) parts.push(ANY_PART)
      parts.push(STAR)
    } else {
      const steps = parseName(name)
      if (steps === undefined) return []
      parts.push((part) => matchWildcards(steps, part))
    }
  }
  return [{ parts, isForFolders, isInclusion }]
}

/** Removes spaces at the end, except an escaped space. */
function trimEnd(line: string): string {
  const trimmed = line.replace(/ +$/, '')
  const backslashes = trimmed.length - trimmed.replace(/\\+$/, '').length
  return backslashes % 2 === 1 && trimmed.length < line.length ? `${trimmed} ` : trimmed
}

/** Parses the pattern of a part. Returns undefined for a class that does not end, and for a backslash at the end. */
function parseName(name: string): Step<string>[] | undefined {
  const steps: Step<string>[] = []
  for (let at = 0; at < name.length; at += 1) {
    const character = name[at] as string
    if (character === '*') steps.push(STAR)
    else if (character === '?') steps.push(() => true)
    else if (character === '[') {
      const found = parseCharacterClass(name, at)
      if (found === undefined) return undefined
      steps.push(found.test)
      at = found.end
    } else {
      if (character === '\\') at += 1
      const literal = name[at]
      if (literal === undefined) return undefined
      steps.push(isCharacter(literal))
    }
  }
  return steps
}

const isCharacter =
  (expected: string): CharacterTest =>
  (actual) =>
    actual === expected
