import { compilePattern, MAX_PATTERN_SIZE } from '@burgee/engine/rules/pattern'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { BAD_PATTERN, type OperandProblem } from '@burgee/protocol/targeting/operand'
import { OPERATORS } from '@burgee/protocol/targeting/operator'

/** Maximum number of RE2 instructions for all patterns of a strategy or segment combined. */
export const MAX_PATTERNS_SIZE = 5000

/**
 * Checks the patterns of a strategy or segment, and bounds the work of compiling and matching all of them. Patterns
 * from other servers may be larger.
 */
export class PatternCheck {
  readonly #isAsGiven: boolean
  #size = 0

  constructor(isAsGiven: boolean) {
    this.#isAsGiven = isAsGiven
  }

  /** Counts a stored pattern, which is accepted without a check. */
  count(constraint: ConstraintInput): void {
    if (isPattern(constraint) && !this.#isAsGiven) this.#size += compile(constraint)?.programSize() ?? 0
  }

  /** Returns the problem with a new pattern, if there is one. */
  findProblem(constraint: ConstraintInput): OperandProblem | undefined {
    if (!isPattern(constraint)) return undefined
    const pattern = compile(constraint)
    if (pattern === undefined) return BAD_PATTERN
    if (this.#isAsGiven) return undefined
    const size = pattern.programSize()
    this.#size += size
    if (size > MAX_PATTERN_SIZE) return createProblem(`must be a pattern of at most ${format(MAX_PATTERN_SIZE)}`)
    if (this.#size <= MAX_PATTERNS_SIZE) return undefined
    return createProblem(`must have, with the other patterns, at most ${format(MAX_PATTERNS_SIZE)} in total`)
  }
}

const compile = ({ value = '' }: ConstraintInput) => compilePattern(value, false)
const isPattern = ({ operator }: ConstraintInput): boolean => OPERATORS[operator] === 'regex'
const format = (count: number): string => `${count.toLocaleString('en-US')} RE2 instructions`
const createProblem = (reason: string): OperandProblem => ({ property: 'value', reason })
