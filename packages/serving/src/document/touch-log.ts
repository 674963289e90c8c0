import type { TouchedItems } from './document-delta.ts'

/** Effect of a change on the flags of an environment. */
export interface Touch {
  /** Number of the change; later changes have higher numbers. */
  readonly id: number
  /** Projects that each flag was in before and after the change, by flag name. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  /** `all` if the changed flags are unknown. */
  readonly scope: 'flags' | 'segments' | 'all'
}

const MAX_TOUCHES = 1000

/**
 * Log of the flags that recent changes of an environment have affected. The content of the log depends only on the
 * changes, and every node receives the changes in the same order. A client that got a state from one node can therefore
 * get the next changes from another node.
 */
export class TouchLog {
  /** Entries of the log, by ascending change number. */
  readonly #touches: Touch[] = []
  /** Changes in the log that the document may not contain yet. */
  readonly #unread = new Set<Touch>()
  /** Number of the change after which the log is complete; undefined before `begin`. */
  #afterId: number | undefined

  /** Adds changes of the environment. */
  add(touches: readonly Touch[]): void {
    for (const touch of touches) {
      if (this.#afterId !== undefined && touch.id <= this.#afterId) continue
      // a change that a node could not read in order arrives late
      const at = this.#touches.findLastIndex(({ id }) => id <= touch.id) + 1
      if (this.#touches[at - 1]?.id === touch.id) continue
      this.#touches.splice(at, 0, touch)
      this.#unread.add(touch)
    }
    const tooMany = this.#touches.splice(0, Math.max(0, this.#touches.length - MAX_TOUCHES))
    if (tooMany.length > 0 && this.#afterId !== undefined) this.#afterId = tooMany.at(-1)?.id
  }

  /**
   * Marks the start of a document read, which includes all changes logged so far. Call the returned function once the
   * document is in use.
   */
  beginRead(): () => void {
    const covered = [...this.#unread]
    return () => {
      for (const touch of covered) this.#unread.delete(touch)
    }
  }

  /**
   * Records that the document contains every change up to this number, including changes already in the log. Only the
   * first call has an effect.
   */
  begin(id: number): void {
    if (this.#afterId !== undefined) return
    this.#afterId = id
    const read = this.#touches.splice(0, this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    for (const touch of read) this.#unread.delete(touch)
  }

  /** Clears the log, because the change numbers restart or get a new meaning. */
  reset(): void {
    this.#touches.length = 0
    this.#unread.clear()
    this.#afterId = undefined
  }

  /** Returns the highest number, at most `id`, up to which the document contains every change in the log. */
  completeUpTo(id: number): number {
    return [...this.#unread].reduce((least, touch) => Math.min(least, touch.id - 1), id)
  }

  /**
   * Returns the items that may have changed after a change number. Returns undefined if the changes are no longer
   * known, or if any item may have changed.
   */
  after(id: number): TouchedItems | undefined {
    if (this.#afterId === undefined || id < this.#afterId) return undefined
    const since = this.#touches.slice(this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    if (since.some(({ scope }) => scope === 'all')) return undefined
    const flags = new Map<string, Set<string>>()
    for (const touch of since) {
      for (const [name, projects] of touch.flags) flags.set(name, new Set([...(flags.get(name) ?? []), ...projects]))
    }
    return { flags, segments: since.some(({ scope }) => scope === 'segments') }
  }
}
