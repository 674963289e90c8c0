import type { EventsTold, LogPosition } from '@burgee/protocol/event'
import { searchEvents } from '../events.ts'
import { BASE_PATH } from '../http.ts'
import type { Tell } from './told.ts'

const STREAM = '/api/admin/event-stream'
/** How often is asked while there is no stream. */
const POLL_MS = 10_000
/** A server that refused a stream is asked for one again. */
const AGAIN_MS = 15_000
const MOST_AT_ONCE = 100
/** How much sooner than it came what a page shows may have been read: by the page that led to it, on another clock. */
const SLACK_MS = 2000

/** Whether what this page shows may have been read before the last news, of so long ago. */
export const mayHaveMissed = (sinceNewsMs: number): boolean => sinceNewsMs < performance.now() + SLACK_MS

/**
 * Reads what happens at the server: by a stream, which the browser opens again where it breaks; while there is none, by
 * asking. What is there at first is no news. The result ends it.
 */
export function readEvents(tell: Tell): () => void {
  const reader = new EventReader(tell)
  reader.open()
  return () => reader.close()
}

class EventReader {
  readonly #tell: Tell
  #lastId: number | undefined
  #source: EventSource | undefined
  #polling: number | undefined
  #again: number | undefined

  constructor(tell: Tell) {
    this.#tell = tell
  }

  open(): void {
    const source = new EventSource(`${BASE_PATH}${STREAM}`)
    this.#source = source
    source.addEventListener('connected', ({ data }) => this.#connected(JSON.parse(data)))
    source.addEventListener('events', ({ data }) => this.#heard(JSON.parse(data)))
    source.addEventListener('error', () => this.#lost(source))
  }

  close(): void {
    this.#source?.close()
    clearInterval(this.#polling)
    clearTimeout(this.#again)
  }

  #connected({ lastEventId, sinceLastEventMs }: LogPosition): void {
    this.#stopPolling()
    const isNew = this.#lastId === undefined
    const hasMissed = isNew ? mayHaveMissed(sinceLastEventMs) : lastEventId !== this.#lastId
    this.#lastId = lastEventId
    this.#tell({ kind: 'state', isLive: true })
    if (hasMissed) this.#tell({ kind: 'gap' })
  }

  #heard({ events }: EventsTold): void {
    this.#lastId = events.at(-1)?.id ?? this.#lastId
    this.#tell({ kind: 'events', events })
  }

  #lost(source: EventSource): void {
    this.#tell({ kind: 'state', isLive: false })
    this.#polling ??= window.setInterval(() => void this.#poll(), POLL_MS)
    if (source.readyState !== EventSource.CLOSED) return
    clearTimeout(this.#again)
    this.#again = window.setTimeout(() => this.open(), AGAIN_MS)
  }

  #stopPolling(): void {
    clearInterval(this.#polling)
    this.#polling = undefined
  }

  /** Nobody looks at a hidden page; what it misses it reads when it is looked at. */
  async #poll(): Promise<void> {
    if (document.visibilityState === 'hidden') return
    const afterId = this.#lastId
    try {
      const { events, total } = await searchEvents({}, { afterId, limit: afterId === undefined ? 1 : MOST_AT_ONCE })
      if (this.#polling === undefined || this.#lastId !== afterId) return
      this.#lastId = events[0]?.id ?? afterId ?? 0
      if (afterId === undefined || total > events.length) this.#tell({ kind: 'gap' })
      else if (events.length > 0) this.#tell({ kind: 'events', events: [...events].reverse() })
    } catch {
      // the pages say themselves that nothing can be read
    }
  }
}
