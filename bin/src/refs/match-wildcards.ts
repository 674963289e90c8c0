/** Step of a pattern that matches any number of characters or parts. */
export const STAR = Symbol('any number of elements')

/** Step of a pattern: `STAR`, or a test of exactly one character or part. */
export type Step<T> = typeof STAR | ((element: T) => boolean)

/**
 * Returns true if a pattern matches a whole sequence, which is either the characters of a name or the parts of a path.
 * Runs at most one test per step and element: after a mismatch, only the last star is extended by one element, because
 * extending an earlier star could not change the result.
 */
export function matchWildcards<T>(pattern: readonly Step<T>[], sequence: ArrayLike<T>): boolean {
  let step = 0
  let at = 0
  let afterStar = -1
  let retry = 0
  while (at < sequence.length) {
    const current = pattern[step]
    if (current === STAR) {
      step += 1
      afterStar = step
      retry = at
    } else if (current?.(sequence[at] as T) === true) {
      step += 1
      at += 1
    } else if (afterStar >= 0) {
      retry += 1
      at = retry
      step = afterStar
    } else return false
  }
  while (pattern[step] === STAR) step += 1
  return step === pattern.length
}
