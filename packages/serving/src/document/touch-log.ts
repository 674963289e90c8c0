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
 * Log of the flags that recent changes of an environment have affected. Its content depends only on the changes, and
 * every node receives them in the same order. So a client that got a state from one node can be updated by another
 * node.
 */
export class TouchLog {
  /** Entries of the log, by ascending change number. */
  readonly #touches: Touch[] = []
  /** Changes that the document has not read yet. */
  readonly #unread = new Set<Touch>()
  /** Number of the change after which the log is complete; undefined if nothing is known. */
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

  /** Marks the start of a document read. Call the returned function once the document is in place. */
  beginRead(): () => void {
    const covered = [...this.#unread]
    return () => {
      for (const touch of covered) this.#unread.delete(touch)
    }
  }

  /**
   * Records that the document contains everything up to this change, whatever was added to the log before. Only the
   * first call has an effect.
   */
  begin(id: number): void {
    if (this.#afterId !== undefined) return
    this.#afterId = id
    const read = this.#touches.splice(0, this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    for (const touch of read) this.#unread.delete(touch)
  }

  /** Clears the log: numbers restart or have a new meaning. */
  reset(): void {
    this.#touches.length = 0
    this.#unread.clear()
    this.#afterId = undefined
  }

  /** Returns the number of the last change, at most `id`, up to which the document contains every change in the log. */
  completeUpTo(id: number): number {
    return [...this.#unread].reduce((least, touch) => Math.min(least, touch.id - 1), id)
  }

  /**
   * Returns what may have changed after a change number, or undefined if that is no longer known or may be anything.
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
