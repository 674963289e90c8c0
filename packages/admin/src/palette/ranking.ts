import type { Entry, EntryGroup } from './entry.ts'

/** Entries that have every word of a text in their label, whatever its case. */
export function fitting(entries: readonly Entry[], text: string): Entry[] {
  const words = wordsOf(text)
  return entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

/** Groups of one name as one, in the order of their first; none that is empty. */
export function joined(groups: readonly EntryGroup[]): EntryGroup[] {
  return [...Map.groupBy(groups, ({ group }) => group)]
    .map(([group, parts]) => ({ group, entries: parts.flatMap(({ entries }) => entries) }))
    .filter(({ entries }) => entries.length > 0)
}

/** How well a name fits a text: 0 is the name itself, 1 begins with it, 2 has all its words, 3 is found by other things. */
export function rankOf(name: string, text: string): number {
  const [plain, typed] = [name.toLowerCase(), text.toLowerCase().trim()]
  if (plain === typed) return 0
  if (plain.startsWith(typed)) return 1
  return wordsOf(text).every((word) => plain.includes(word)) ? 2 : 3
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
