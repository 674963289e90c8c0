/** Entry of the palette. */
export interface PaletteEntry {
  readonly id: string
  readonly label: string
  readonly description?: string
  /** True if the entry changes what users get. It must be selected explicitly; Enter alone never runs it. */
  readonly isSwitch?: boolean
  readonly run: () => void
}

/** Entries under a heading. */
export interface PaletteEntryGroup {
  readonly group: string
  readonly entries: readonly PaletteEntry[]
}
