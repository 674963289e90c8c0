import type { Touched } from './delta.ts'

/** What a change says about an environment's flags. */
export interface Touch {
  /** Its number: those of later changes are greater. */
  readonly id: number
  /** The projects that each flag was in, before and after, by the flag's name. */
  readonly flags: ReadonlyMap<string, readonly string[]>
  /** 'all' where it cannot be said which flags changed. */
  readonly reach: 'flags' | 'segments' | 'all'
}

const MOST_TOUCHES = 1000

/**
 * Which flags the last changes of an environment have touched. It depends on the changes alone: where every node hears
 * them in the same order, somebody who was told of a state by one node can be brought further by another one.
 */
export class TouchLog {
  /** By id, ascending. */
  readonly #touches: Touch[] = []
  /** Whether the document has read what they touched. */
  readonly #unread = new Set<Touch>()
  /** Everything after this change is known; undefined where nothing is. */
  #afterId: number | undefined

  /** Notes changes of the environment. */
  add(touches: readonly Touch[]): void {
    for (const touch of touches) {
      if (this.#afterId !== undefined && touch.id <= this.#afterId) continue
      // one that a node could not read in its turn comes late
      const at = this.#touches.findLastIndex(({ id }) => id <= touch.id) + 1
      if (this.#touches[at - 1]?.id === touch.id) continue
      this.#touches.splice(at, 0, touch)
      this.#unread.add(touch)
    }
    const tooMany = this.#touches.splice(0, Math.max(0, this.#touches.length - MOST_TOUCHES))
    if (tooMany.length > 0 && this.#afterId !== undefined) this.#afterId = tooMany.at(-1)?.id
  }

  /** Begins a read of the document; the result is to be called once it is in place. */
  beginRead(): () => void {
    const covered = [...this.#unread]
    return () => {
      for (const touch of covered) this.#unread.delete(touch)
    }
  }

  /** The document holds everything up to this change, whatever was heard before. Only the first time counts. */
  begin(id: number): void {
    if (this.#afterId !== undefined) return
    this.#afterId = id
    const read = this.#touches.splice(0, this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    for (const touch of read) this.#unread.delete(touch)
  }

  /** Forgets everything: numbers begin anew, or mean something else. */
  reset(): void {
    this.#touches.length = 0
    this.#unread.clear()
    this.#afterId = undefined
  }

  /** The last change of those up to `id` before which the document lacks nothing that was heard. */
  completeUpTo(id: number): number {
    return [...this.#unread].reduce((least, touch) => Math.min(least, touch.id - 1), id)
  }

  /** What was touched after a change; undefined where that is not known any more, or where it may be anything. */
  after(id: number): Touched | undefined {
    if (this.#afterId === undefined || id < this.#afterId) return undefined
    const since = this.#touches.slice(this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    if (since.some(({ reach }) => reach === 'all')) return undefined
    const flags = new Map<string, Set<string>>()
    for (const touch of since) {
      for (const [name, projects] of touch.flags) flags.set(name, new Set([...(flags.get(name) ?? []), ...projects]))
    }
    return { flags, segments: since.some(({ reach }) => reach === 'segments') }
  }
}
