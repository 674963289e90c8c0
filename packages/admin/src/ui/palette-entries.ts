/** Something that the palette offers. */
export interface Entry {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly onClick: () => void
}

/** Entries under a heading. */
export interface EntryGroup {
  readonly group: string
  readonly actions: readonly Entry[]
}

/** Entries that have every word of a text in their label, whatever its case. */
export function fitting(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/)
  return entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}
