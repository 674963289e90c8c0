import type { DocumentRevision } from '@burgee/serving/document/environment-document'

const MAX_REVISIONS = 256

/** Upstream revisions that the recent revisions of an environment contain. */
export class UpstreamNumbers {
  readonly #numbers = new Map<string, number>()

  /**
   * Records the upstream revisions from which a revision was merged. The lowest one counts. Does nothing if one of them
   * is unknown.
   */
  add({ epoch, id }: DocumentRevision, numbers: readonly (number | undefined)[]): void {
    const known = numbers.filter((number) => number !== undefined)
    if (known.length < numbers.length || known.length === 0) return
    this.#numbers.set(`${id}:${epoch}`, Math.min(...known))
    const [oldest] = this.#numbers.keys()
    if (this.#numbers.size > MAX_REVISIONS && oldest !== undefined) this.#numbers.delete(oldest)
  }

  find({ epoch, id }: DocumentRevision): number | undefined {
    return this.#numbers.get(`${id}:${epoch}`)
  }
}
