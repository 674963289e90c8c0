import type { DocumentRevision } from '@burgee/serving/document/environment-document'
import { hashText, type TaggedRevision } from '@burgee/serving/document/revision-tag'

const MAX_LINEAGES = 100
const EPOCH_PARTS = 8

/**
 * Assigns revisions to the states of an environment. A pair of epoch and number never stands for two different
 * contents. A state that equals a single upstream reply gets the upstream's number if it is higher than all earlier
 * ones, so that all nodes behind this upstream use the same numbers. Any other state is numbered in an epoch of this
 * process.
 */
export class Revisions {
  readonly #ownEpoch: string
  #counted = 0
  /** Highest upstream number that has been given to a state, by upstream epoch. */
  readonly #passed = new Map<string, number>()

  /** @param random returns a number in [0, 1) */
  constructor(random: () => number) {
    const parts = Array.from({ length: EPOCH_PARTS }, () => String(random()))
    this.#ownEpoch = hashText(parts.join())
  }

  /**
   * Returns the revision for the next state, or undefined if the current revision remains valid.
   *
   * @param named upstream revision; undefined if the state merges several replies or differs from the reply
   * @param hasChanged true if the content differs from that in the previous state
   */
  next(named: TaggedRevision | undefined, hasChanged: boolean): DocumentRevision | undefined {
    if (named !== undefined && this.#mayPass(named)) {
      this.#passed.set(named.lineage, named.number)
      // the upstream's epoch may contain characters that serve as separators in the revisions of this node
      return { epoch: hashText(named.lineage), id: named.number }
    }
    if (!hasChanged) return undefined
    this.#counted += 1
    return { epoch: this.#ownEpoch, id: this.#counted }
  }

  #mayPass({ lineage, number }: TaggedRevision): boolean {
    const last = this.#passed.get(lineage)
    return last === undefined ? this.#passed.size < MAX_LINEAGES : number > last
  }
}
