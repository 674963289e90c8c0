import { type Fidelity, KINDS, type Kind, type KindCount, type Note } from '@burgee/import/model/fidelity'

/** What is written of an import so far. */
export class Tally {
  readonly #counts = new Map<Kind, { found: number; imported: number; skipped: number }>()
  readonly notes: Note[]

  /** `notes` are those of the source. */
  constructor(notes: readonly Note[]) {
    this.notes = [...notes]
  }

  /** So many things of a kind there are, of which so many are written, and the others are left out. */
  count(kind: Kind, found: number, imported: number = found): void {
    const before = this.#counts.get(kind) ?? { found: 0, imported: 0, skipped: 0 }
    this.#counts.set(kind, {
      found: before.found + found,
      imported: before.imported + imported,
      skipped: before.skipped + found - imported,
    })
  }

  /** Says something of one thing. */
  note(kind: Kind, name: string, fidelity: Fidelity, words: string): void {
    this.notes.push({ kind, name, fidelity, words })
  }

  /** In the order of kinds; those of which there is nothing are left out. */
  counts(): KindCount[] {
    return KINDS.flatMap((kind) => {
      const count = this.#counts.get(kind)
      return count === undefined || count.found === 0 ? [] : [{ kind, ...count }]
    })
  }
}
