import type { Touched } from '@burgee/serving/document/delta'
import type { StoredEvent } from '../../store/events/events.ts'
import { readsAfter } from './pending-reads.ts'

/** What an event says about an environment's flags. */
interface Touch {
  readonly id: number
  /** Null where it is of no single flag. */
  readonly flag: string | null
  /** Those the flag was in, before and after. */
  readonly projects: readonly string[]
  /** 'all' where it cannot be said which flags changed. */
  readonly reach: 'flag' | 'segments' | 'all'
}

const MOST_TOUCHES = 1000

/**
 * Which flags the last events of an environment have touched. It depends on the events alone, which every node hears in
 * the same order, and not on when a node has read what: somebody who was told of a state by one node can be brought
 * further by another one.
 */
export class TouchLog {
  /** By id, ascending. */
  readonly #touches: Touch[] = []
  /** Whether the document has read what they touched. */
  readonly #unread = new Set<Touch>()
  /** Everything after this event is known; undefined where nothing is. */
  #afterId: number | undefined

  /** Notes events that reach the environment. */
  add(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (this.#afterId !== undefined && event.id <= this.#afterId) continue
      const touch = touchOf(event)
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

  /** The document holds everything up to this event, whatever was heard before. Only the first time counts. */
  begin(id: number): void {
    if (this.#afterId !== undefined) return
    this.#afterId = id
    const read = this.#touches.splice(0, this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    for (const touch of read) this.#unread.delete(touch)
  }

  /** Forgets everything: another life of the database has begun. */
  reset(): void {
    this.#touches.length = 0
    this.#unread.clear()
    this.#afterId = undefined
  }

  /** The last event of those up to `id` before which the document lacks nothing that was heard. */
  completeUpTo(id: number): number {
    return [...this.#unread].reduce((least, touch) => Math.min(least, touch.id - 1), id)
  }

  /** What was touched after an event; undefined where that is not known any more, or where it may be anything. */
  after(id: number): Touched | undefined {
    if (this.#afterId === undefined || id < this.#afterId) return undefined
    const since = this.#touches.slice(this.#touches.findLastIndex((touch) => touch.id <= id) + 1)
    if (since.some(({ reach }) => reach === 'all')) return undefined
    const flags = new Map<string, Set<string>>()
    for (const { flag, projects } of since) {
      if (flag !== null) flags.set(flag, new Set([...(flags.get(flag) ?? []), ...projects]))
    }
    return { flags, segments: since.some(({ reach }) => reach === 'segments') }
  }
}

function touchOf(event: StoredEvent): Touch {
  const { id, featureName: flag, project, data, preData } = event
  const projects = [project, ...projectsIn(data), ...projectsIn(preData)].filter((one) => typeof one === 'string')
  const { flags, segments } = readsAfter(event)
  return { id, flag, projects, reach: flags === 'all' ? 'all' : segments ? 'segments' : 'flag' }
}

/** Of a move: where the flag was. */
function projectsIn(state: unknown): unknown[] {
  if (typeof state !== 'object' || state === null) return []
  return ['oldProject', 'newProject', 'project'].map((key) => (state as Record<string, unknown>)[key])
}
