import { RE2JS } from 're2js'

/**
 * Compiles a regular expression in RE2 syntax, which runs in linear time and has no look-around. Returns undefined if
 * the pattern is invalid. Source: client-specification 21.
 */
export function compilePattern(value: string, caseInsensitive: boolean): RE2JS | undefined {
  try {
    return RE2JS.compile(value, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0)
  } catch {
    return undefined
  }
}

/** Maximum number of RE2 instructions of a pattern that a user enters. */
export const MAX_PATTERN_SIZE = 1000
/**
 * Maximum work of a search in a longer text: RE2 instructions of the pattern, times characters of the text. The time of
 * a search is linear in both.
 */
export const MAX_SEARCH_WORK = 100_000
/**
 * Length of a text in which every pattern of at most {@link MAX_PATTERN_SIZE} instructions is searched, such as the
 * user agent of a browser.
 */
const SEARCHED_LENGTH = 512
/** Maximum work of a search in any text, with any pattern. */
const MAX_WORK = SEARCHED_LENGTH * MAX_PATTERN_SIZE
/**
 * Maximum length of a text in which a pattern is searched, in UTF-16 code units. Many flags can search one long text in
 * an evaluation, each with the maximum work.
 */
export const MAX_SEARCHED_LENGTH = 2048

/**
 * Maximum work of all searches of one evaluation, which may decide hundreds of flags: a tenth of a second. Fifty
 * patterns of 200 instructions in a user agent of 250 characters take half of it.
 */
export const MAX_EVALUATION_WORK = 5_000_000

/** Work that the searches of one evaluation may still do. */
export class SearchBudget {
  #workLeft = MAX_EVALUATION_WORK
  #isIncomplete = false

  /** True if a search was skipped in this evaluation, so that the result of a constraint is unknown. */
  get isIncomplete(): boolean {
    return this.#isIncomplete
  }

  /** Begins the next evaluation. */
  restart(): void {
    this.#workLeft = MAX_EVALUATION_WORK
    this.#isIncomplete = false
  }

  /** Subtracts the work of a search. Returns false if the search must be skipped. */
  spend(work: number): boolean {
    const isSpent = work <= this.#workLeft
    if (isSpent) this.#workLeft -= work
    else this.#isIncomplete = true
    return isSpent
  }
}

/**
 * Search for a pattern. Remembers the last text and its result, because many flags search the same value for the same
 * pattern in an evaluation.
 */
export class PatternSearch {
  readonly #pattern: RE2JS
  readonly #size: number
  readonly #maxLength: number
  #text: string | undefined
  #isFound = false

  constructor(pattern: RE2JS) {
    this.#pattern = pattern
    this.#size = pattern.programSize()
    this.#maxLength = getMaxTextLength(pattern)
  }

  /**
   * Returns true if a text contains a match. Returns undefined, and marks the evaluation as incomplete, if the text is
   * too long or the search would need too much work.
   */
  find(text: string, budget: SearchBudget): boolean | undefined {
    if (text !== this.#text) {
      const work = text.length > this.#maxLength ? Number.POSITIVE_INFINITY : text.length * this.#size
      if (!budget.spend(work)) return undefined
      this.#isFound = this.#pattern.matcher(text).find()
      this.#text = text
    }
    return this.#isFound
  }
}

/** Returns the length of the longest text in which a pattern is searched. */
export function getMaxTextLength(pattern: RE2JS): number {
  const size = pattern.programSize()
  if (size > MAX_PATTERN_SIZE) return Math.floor(MAX_WORK / size)
  return Math.min(MAX_SEARCHED_LENGTH, Math.max(SEARCHED_LENGTH, Math.floor(MAX_SEARCH_WORK / size)))
}
