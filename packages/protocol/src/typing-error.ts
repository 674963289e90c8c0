/** Minimum length of a word for which one typing error is tolerated. */
const MIN_TOLERANT_LENGTH = 4

/** Returns true if a word, or the beginning of a word, differs from the typed word by at most one typing error. */
export function isSimilar(word: string, typed: string): boolean {
  if (typed.length < MIN_TOLERANT_LENGTH) return false
  const lengths = [typed.length - 1, typed.length, typed.length + 1]
  return lengths.some((length) => hasOneError(word.slice(0, length), typed))
}

/** Returns true if two words are equal except for one missing, additional or wrong letter, or two swapped letters. */
function hasOneError(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const [left, right] = [a.slice(at), b.slice(at)]
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return isSwapped || left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1)
}
