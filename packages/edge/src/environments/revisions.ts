import type { DocumentRevision } from '@burgee/serving/document/environment-document'
import { hashOf, type TaggedRevision } from '@burgee/serving/document/revision-tag'

const MOST_LINEAGES = 100
const OWN_LENGTH = 8

/**
 * Numbers the states of an environment's flags so that the same epoch and number never mean two contents. Where all of it is
 * one answer of the upstream, as it came, and that says which state of the upstream it is, its number is passed through
 * as long as it grows: then nodes beside each other agree. Everything else is counted here, in an epoch of this process.
 */
export class Revisions {
  readonly #ownEpoch: string
  #counted = 0
  /** The greatest number of each lineage that was passed through. */
  readonly #passed = new Map<string, number>()

  /** @param random from 0 on, below 1 */
  constructor(random: () => number) {
    const parts = Array.from({ length: OWN_LENGTH }, () => String(random()))
    this.#ownEpoch = hashOf(parts.join())
  }

  /**
   * The revision of the next state; undefined where that is the one before.
   *
   * @param named which state of the upstream it is; undefined where it is of several answers, or not as it came
   * @param hasChanged whether it is another content than the one before
   */
  next(named: TaggedRevision | undefined, hasChanged: boolean): DocumentRevision | undefined {
    if (named !== undefined && this.#mayPass(named)) {
      this.#passed.set(named.lineage, named.number)
      // a tag's epoch may have signs that stand for something else in ours
      return { epoch: hashOf(named.lineage), id: named.number }
    }
    if (!hasChanged) return undefined
    this.#counted += 1
    return { epoch: this.#ownEpoch, id: this.#counted }
  }

  #mayPass({ lineage, number }: TaggedRevision): boolean {
    const last = this.#passed.get(lineage)
    return last === undefined ? this.#passed.size < MOST_LINEAGES : number > last
  }
}
