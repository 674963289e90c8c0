/** What the address of the segments says: which one is edited, or `new`. */
export interface SegmentSearch {
  readonly edit?: string
}

/** Reads the address. */
export function readSegmentSearch({ edit }: Record<string, unknown>): SegmentSearch {
  if (typeof edit === 'number') return { edit: String(edit) }
  return typeof edit === 'string' && edit !== '' ? { edit } : {}
}
