import type { TouchedItems } from './document-delta.ts'

/** Flags of an environment that a change may affect. */
export interface Touch {
  /** Number of the change; later changes have higher numbers. */
  readonly id: number
  /** For each affected flag, the projects that contained it before and after the change, by flag name. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  /** `all` if it is unknown which flags the change affected. */
  readonly scope: 'flags' | 'segments' | 'all'
}

const MAX_TOUCHES = 1000

/**
 * Log of the flags that recent changes of an environment have affected. The log is the same on every node, because it
 * depends only on the changes, which every node receives in the same order. A client that received a state from one
 * node can therefore get later changes from another node.
 */
export class TouchLog {
  /** Entries of the log, by ascending change number. */
  readonly #touches: Touch[] = []
  /** Logged changes that the document may not include yet. */
  readonly #unread = new Set<Touch>()
  /** Number of the change after which the log has no gaps; undefined before `begin`. */
  #afterId: number | undefined

  /** Adds changes to the environment. */
  add(touches: readonly Touch[]): void {
    for (const touch of touches) {
      if (this.#afterId !== undefined && touch.id <= this.#afterId) continue
      // a change that a node could not read in the right order arrives late
      const at = this.#touches.findLastIndex(({ id }) => id <= touch.id) + 1
      if (this.#touches[at - 1]?.id === touch.id) continue
      this.#touches.splice(at, 0, touch)
      this.#unread.add(touch)
    }
    const tooMany = this.#touches.splice(0, Math.max(0, this.#touches.length - MAX_TOUCHES))
    if (tooMany.length > 0 && this.#afterId !== undefined) this.#afterId = tooMany.at(-1)?.id
  }

  /**
   * Marks the start of a read of the document; that document will include all changes logged so far. Call the returned
   * function once that document is in use.
   */
  beginRead(): () => void {
    const covered = [...this.#unread]
    return () => {
      for (const touch of covered) this.#unread.delete(touch)
    }
  }

  /**
   * Records that the document includes every change up to this number, including changes already logged. Calls after
   * the first have no effect.
   */
  begin(id: number): void {
    if (this.#afterId !== undefined) return
    this.#afterId = id
    const read = this.#touches.splice(0, this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    for (const touch of read) this.#unread.delete(touch)
  }

  /** Clears the log, because change numbers start again or change their meaning. */
  reset(): void {
    this.#touches.length = 0
    this.#unread.clear()
    this.#afterId = undefined
  }

  /** Returns the highest change number, at most `id`, up to which the document includes all logged changes. */
  completeUpTo(id: number): number {
    return [...this.#unread].reduce((least, touch) => Math.min(least, touch.id - 1), id)
  }

  /**
   * Returns the flags and segments that may have changed since a change number. Returns undefined if the log no longer
   * reaches back that far, or if anything may have changed.
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
