import type { PaletteEntry, PaletteEntryGroup } from './entry.ts'

/** Minimum length of a word in which one typing error is tolerated. */
const MIN_TOLERANT_LENGTH = 4

/**
 * Returns the palette entries whose label or keywords contain every word of a text, ignoring case. Without a match,
 * tolerates one typing error per word: a missing, additional, wrong or swapped letter.
 */
export function filterEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const words = splitWords(text)
  const exact = entries.filter((entry) => words.every((word) => getSearchText(entry).includes(word)))
  if (exact.length > 0) return exact
  return entries.filter((entry) => {
    const own = splitWords(getSearchText(entry))
    return words.every((word) => own.some((one) => one.includes(word) || isSimilar(one, word)))
  })
}

const getSearchText = ({ label, keywords = '' }: PaletteEntry): string => `${label} ${keywords}`.toLowerCase()

/** Returns true if a word, or its beginning, differs from the typed one by at most one typing error. */
export function isSimilar(word: string, typed: string): boolean {
  if (typed.length < MIN_TOLERANT_LENGTH) return false
  const lengths = [typed.length - 1, typed.length, typed.length + 1]
  return lengths.some((length) => hasOneError(word.slice(0, length), typed))
}

/** Returns true if two words are equal except for one missing, additional, wrong or swapped letter. */
function hasOneError(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const [left, right] = [a.slice(at), b.slice(at)]
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return isSwapped || left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1)
}

/** Merges groups of the same name, in order of first appearance, and drops empty ones. */
export function mergeGroups(groups: readonly PaletteEntryGroup[]): PaletteEntryGroup[] {
  return [...Map.groupBy(groups, ({ group }) => group)]
    .map(([group, parts]) => ({ group, entries: parts.flatMap(({ entries }) => entries) }))
    .filter(({ entries }) => entries.length > 0)
}

/** Ranks how well a name matches a text: 0 is equal, 1 starts with it, 2 contains all its words, 3 is anything else. */
export function rankName(name: string, text: string): number {
  const [plain, typed] = [name.toLowerCase(), text.toLowerCase().trim()]
  if (plain === typed) return 0
  if (plain.startsWith(typed)) return 1
  return splitWords(text).every((word) => plain.includes(word)) ? 2 : 3
}

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
