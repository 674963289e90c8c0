import type { LucideIcon } from 'lucide-react'

/** Entry of the palette. */
export interface PaletteEntry {
  readonly id: string
  readonly label: string
  readonly description?: string
  /** Synonyms by which the entry can be found. */
  readonly keywords?: string
  readonly icon?: LucideIcon
  /**
   * True if running the entry changes flag results for users. Such an entry must be selected explicitly; Enter alone
   * never runs it.
   */
  readonly isSwitch?: boolean
  readonly run: () => void
}

/** Entries under a heading. */
export interface PaletteEntryGroup {
  readonly group: string
  readonly entries: readonly PaletteEntry[]
}
