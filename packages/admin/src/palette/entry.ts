/** Something that the palette offers. */
export interface Entry {
  readonly id: string
  readonly label: string
  readonly description?: string
  /** It changes what users get: only who has chosen it does it, never who just presses Enter. */
  readonly isSwitch?: boolean
  readonly run: () => void
}

/** Entries under a heading. */
export interface EntryGroup {
  readonly group: string
  readonly entries: readonly Entry[]
}
