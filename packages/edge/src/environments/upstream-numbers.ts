import type { DocumentRevision } from '@burgee/serving/document/environment-document'
import { hashText } from '@burgee/serving/document/revision-tag'

/** Maximum number of entries; each revision takes two entries. */
const MAX_REVISIONS = 512

/** Upstream revisions that the recent revisions of an environment were merged from. */
export class UpstreamNumbers {
  readonly #numbers = new Map<string, number>()

  /**
   * Records the upstream revisions that were merged into a revision. If several were merged, stores the lowest one.
   * Does nothing if any of them is unknown.
   */
  add({ epoch, id }: DocumentRevision, numbers: readonly (number | undefined)[]): void {
    const known = numbers.filter((number) => number !== undefined)
    if (known.length < numbers.length || known.length === 0) return
    const number = Math.min(...known)
    this.#numbers.set(`${id}:${epoch}`, number)
    // worker processes refer to the epochs of the primary process by their hash
    this.#numbers.set(`${id}:${hashText(epoch)}`, number)
    for (const oldest of this.#numbers.keys()) {
      if (this.#numbers.size <= MAX_REVISIONS) break
      this.#numbers.delete(oldest)
    }
  }

  find({ epoch, id }: DocumentRevision): number | undefined {
    return this.#numbers.get(`${id}:${epoch}`)
  }
}
