import { isSimilar } from '@burgee/protocol/typing-error'
import type { PaletteEntry, PaletteEntryGroup } from './entry.ts'

/**
 * Returns the palette entries whose label or keywords contain every word of a text, ignoring case. If nothing matches,
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

/** Merges groups of the same name, in order of first appearance, and drops empty groups. */
export function mergeGroups(groups: readonly PaletteEntryGroup[]): PaletteEntryGroup[] {
  return [...Map.groupBy(groups, ({ group }) => group)]
    .map(([group, parts]) => ({ group, entries: parts.flatMap(({ entries }) => entries) }))
    .filter(({ entries }) => entries.length > 0)
}

/**
 * Ranks how well a name matches a text: 0 if they are equal, 1 if the name starts with the text, 2 if it contains all
 * words of the text, 3 otherwise.
 */
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
