import { type Fidelity, KINDS, type Kind, type KindCount, type Note } from '@burgee/import/model/fidelity'

/** Counts and notes collected so far during an import. */
export class ImportSummary {
  readonly #counts = new Map<Kind, { found: number; imported: number; skipped: number }>()
  readonly notes: Note[]

  /** @param notes notes that the source itself has made */
  constructor(notes: readonly Note[]) {
    this.notes = [...notes]
  }

  /**
   * Adds the number of items of a kind that were found, and the number that were imported. The difference counts as
   * skipped.
   */
  count(kind: Kind, found: number, imported: number = found): void {
    const before = this.#counts.get(kind) ?? { found: 0, imported: 0, skipped: 0 }
    this.#counts.set(kind, {
      found: before.found + found,
      imported: before.imported + imported,
      skipped: before.skipped + found - imported,
    })
  }

  /** Adds a note on one item. */
  addNote(kind: Kind, name: string, fidelity: Fidelity, words: string): void {
    this.notes.push({ kind, name, fidelity, words })
  }

  /** Returns the counts, in the order in which the kinds are defined. Omits kinds whose count is 0. */
  counts(): KindCount[] {
    return KINDS.flatMap((kind) => {
      const count = this.#counts.get(kind)
      return count === undefined || count.found === 0 ? [] : [{ kind, ...count }]
    })
  }
}
