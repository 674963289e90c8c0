import type { EventSummaries, LogPosition } from '@burgee/protocol/event'
import { searchEvents } from '../events.ts'
import { BASE_PATH } from '../http.ts'
import type { LiveMessageListener } from './live-message.ts'

const STREAM = '/api/admin/event-stream'
/** Polling interval while there is no stream, in milliseconds. */
const POLL_MS = 10_000
/** Delay in milliseconds before another attempt to open a stream after the server refused one. */
const STREAM_RETRY_MS = 15_000
const MAX_EVENTS_PER_POLL = 100
/** Safety margin in milliseconds, because the previous page may have fetched data before this page's clock started. */
const CLOCK_MARGIN_MS = 2000

/**
 * Returns true if this page may show data that is older than the last event. `sinceNewsMs` is the time since that
 * event.
 */
export const mayHaveMissed = (sinceNewsMs: number): boolean => sinceNewsMs < performance.now() + CLOCK_MARGIN_MS

/**
 * Reads server events from a stream, which the browser reopens after a failure. Polls while there is no stream. Does
 * not report events that occurred before the start. Returns a function that stops reading.
 */
export function readEvents(tell: LiveMessageListener): () => void {
  const reader = new EventReader(tell)
  reader.open()
  return () => reader.close()
}

class EventReader {
  readonly #tell: LiveMessageListener
  #lastId: number | undefined
  /**
   * Database epoch of `#lastId`. A restored database has another epoch, and its event ids are not comparable with
   * earlier ids.
   */
  #epoch: string | undefined
  #source: EventSource | undefined
  #polling: number | undefined
  #again: number | undefined

  constructor(tell: LiveMessageListener) {
    this.#tell = tell
  }

  open(): void {
    const source = new EventSource(`${BASE_PATH}${STREAM}`)
    this.#source = source
    source.addEventListener('connected', ({ data }) => this.#connected(JSON.parse(data)))
    source.addEventListener('events', ({ data }) => this.#heard(JSON.parse(data)))
    source.addEventListener('delivery', () => this.#tell({ kind: 'delivery' }))
    source.addEventListener('error', () => this.#lost(source))
  }

  close(): void {
    this.#source?.close()
    clearInterval(this.#polling)
    clearTimeout(this.#again)
  }

  #connected({ lastEventId, epoch, sinceLastEventMs }: LogPosition): void {
    this.#stopPolling()
    const isNew = this.#lastId === undefined
    const isElsewhere = lastEventId !== this.#lastId || epoch !== this.#epoch
    const hasMissed = isNew ? mayHaveMissed(sinceLastEventMs) : isElsewhere
    this.#lastId = lastEventId
    this.#epoch = epoch
    this.#tell({ kind: 'state', isLive: true })
    if (hasMissed) this.#tell({ kind: 'gap' })
  }

  #heard({ events }: EventSummaries): void {
    this.#lastId = events.at(-1)?.id ?? this.#lastId
    this.#tell({ kind: 'events', events })
  }

  #lost(source: EventSource): void {
    this.#tell({ kind: 'state', isLive: false })
    this.#polling ??= window.setInterval(() => void this.#poll(), POLL_MS)
    if (source.readyState !== EventSource.CLOSED) return
    clearTimeout(this.#again)
    this.#again = window.setTimeout(() => this.open(), STREAM_RETRY_MS)
  }

  #stopPolling(): void {
    clearInterval(this.#polling)
    this.#polling = undefined
  }

  /** Polls for events if the page is visible. A hidden page fetches the missed events when it becomes visible. */
  async #poll(): Promise<void> {
    if (document.visibilityState === 'hidden') return
    const afterId = this.#lastId
    try {
      const { events, total, epoch } = await searchEvents(
        {},
        { afterId, limit: afterId === undefined ? 1 : MAX_EVENTS_PER_POLL },
      )
      if (this.#polling === undefined || this.#lastId !== afterId) return
      const isElsewhere = this.#epoch !== undefined && epoch !== this.#epoch
      this.#epoch = epoch
      this.#lastId = isElsewhere ? undefined : (events[0]?.id ?? afterId ?? 0)
      if (isElsewhere || afterId === undefined || total > events.length) this.#tell({ kind: 'gap' })
      else if (events.length > 0) this.#tell({ kind: 'events', events: [...events].reverse() })
    } catch {
      // Failed reads are reported by the pages themselves.
    }
  }
}
