const MIN_PREFIX_LENGTH = 3
const LETTERS_PER_EDIT = 3

/**
 * Returns the name that the user most likely meant. If exactly one name has the given prefix, returns this name.
 * Otherwise returns the name with the smallest edit distance, or undefined if no name is close enough. Insertions,
 * deletions, substitutions and transpositions count as edits; at most one edit per three letters is allowed.
 */
export function findNearestName(written: string, names: readonly string[]): string | undefined {
  const begun = written.length >= MIN_PREFIX_LENGTH ? names.filter((name) => name.startsWith(written)) : []
  if (begun.length === 1) return begun[0]
  const most = Math.max(1, Math.floor(written.length / LETTERS_PER_EDIT))
  const [best] = names
    .map((name) => ({ name, slips: computeEditDistance(written, name) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips)
  return best?.name
}

/** Returns `. Did you mean X?`, or an empty string. */
export function formatSuggestion(name: string | undefined): string {
  return name === undefined ? '' : `. Did you mean ${name}?`
}

/**
 * Returns the optimal string alignment distance: the Levenshtein distance, with a swap of two neighboring letters
 * counted as one edit.
 */
function computeEditDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        getDistance(last, j) + 1,
        getDistance(row, j - 1) + 1,
        getDistance(last, j - 1) + change,
        swapped ? getDistance(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return getDistance(last, b.length)
}

function getDistance(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
