import type { IncomingHttpHeaders } from 'node:http'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { createEventMessage, type EventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream, StreamOwner } from '@burgee/kit/streams/event-streams'
import Type from 'typebox'

/** Flags about whose changes streams are notified. */
export interface FollowedFlags {
  /**
   * Returns a tag that identifies the current flags. Equal tags mean equal flags, even on different nodes or after a
   * restart.
   */
  tag(): string
  /** Returns the time of the last change, in milliseconds since 1970. */
  changedAtMs(): number
  /** Returns the milliseconds since the last change, measured with the monotonic clock. */
  changedAgoMs(): number
  /**
   * Calls `changed` after the flags may have changed, once responses already use the new flags. Returns a function that
   * unsubscribes the listener.
   */
  subscribe(changed: () => void): () => void
}

/** Name of OpenFeature streams as a kind of stream, for metrics and limits. */
export const OFREP_STREAM_KIND = 'openfeature'
/** Path of the streams below the base path. */
export const OFREP_STREAM_PATH = '/ofrep/v1/stream'
/** Query parameters of a stream: only the channel. */
export const ofrepStreamQuery = Type.Object({ c: Type.String({ maxLength: 200 }) })
/** Returns the `Last-Event-ID` that a provider sends, or undefined if it sends none. */
export function getLastEventId(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['last-event-id']
  return typeof sent === 'string' ? sent : undefined
}

/** Time after which a hidden web page closes its stream. Source: default value in OFREP 0.3.0 */
export const INACTIVITY_SECONDS = 120

/**
 * Delay before the first message in a burst of changes. Providers coalesce messages that arrive within 50 ms. In a
 * longer burst, every message makes each provider send one request.
 */
const GATHER_MS = 50
/**
 * Minimum time between two messages. The OpenFeature web provider does not order its requests. If two requests are in
 * flight at the same time, the older response may arrive last and remain in effect.
 */
const PACE_MS = 250
/**
 * Time after a change during which a page that sends no `Last-Event-ID` is treated as up to date, because it has just
 * fetched its flags.
 */
const RECENT_MS = 10_000
/**
 * Maximum time to wait for a change that another node has already received. Changes normally arrive within this time.
 */
const MAX_WAIT_MS = 500
const MAX_ANNOUNCED_TAGS = 16

/**
 * Event streams for providers that use the same flags. Messages only notify a provider that flags have changed; the
 * provider then fetches the flags. A provider that reconnects with outdated flags is notified immediately, because it
 * would otherwise not fetch its flags. Sources: OFREP 0.3.0, event streams; observed behavior of the OpenFeature web
 * provider.
 */
export class ChangeStreams {
  readonly #flags: FollowedFlags
  readonly #monotonic: MonotonicClock
  readonly #streams = new Set<EventStream>()
  /** Tags that were sent to streams, newest last. */
  readonly #announcedTags: string[] = []
  #announcedAtMs = Number.NEGATIVE_INFINITY
  #unsubscribe: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(flags: FollowedFlags, monotonic: MonotonicClock) {
    this.#flags = flags
    this.#monotonic = monotonic
  }

  /** True if no stream is open. */
  get isIdle(): boolean {
    return this.#streams.size === 0
  }

  /**
   * Adds a stream for a provider. `lastEventId` is the id of the last event that the provider received; undefined if it
   * has received none.
   */
  join(stream: EventStream, lastEventId: string | undefined): Required<StreamOwner> {
    const tag = this.#flags.tag()
    if (this.#unsubscribe === undefined) {
      this.#unsubscribe = this.#flags.subscribe(() => this.#scheduleAnnouncement())
      this.#remember(tag)
    }
    const isOld = lastEventId === undefined ? this.#flags.changedAgoMs() < RECENT_MS : lastEventId !== tag
    stream.send(isOld ? this.#createRefetchMessage(tag) : createConnectedMessage(tag))
    this.#streams.add(stream)
    return {
      ended: () => {
        this.#streams.delete(stream)
        if (this.#streams.size === 0) this.#stopFollowing()
      },
      caughtUp: () => stream.send(this.#createRefetchMessage(this.#flags.tag())),
    }
  }

  /**
   * If a provider knows flags from another node that this node has not received yet, waits briefly for them. Returns
   * undefined if this node uses, or has already used, the flags that the provider knows.
   */
  waitForTag(tag: string): Promise<void> | undefined {
    const plain = tag.replace(/^(?:W\/)?"(.*)"$/, '$1')
    if (this.#announcedTags.includes(plain) || this.#flags.tag() === plain) return undefined
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        unfollow()
        resolve()
      }
      const timer = setTimeout(done, MAX_WAIT_MS)
      const unfollow = this.#flags.subscribe(done)
    })
  }

  #scheduleAnnouncement(): void {
    // a change is announced even if the flags have changed back since: a client may have fetched them in between
    if (this.#timer !== undefined || this.#flags.tag() === this.#announcedTags.at(-1)) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#announce()
    }, this.#waitMs()).unref()
  }

  #waitMs(): number {
    const restMs = this.#announcedAtMs + PACE_MS - this.#monotonic()
    return Math.min(PACE_MS, Math.max(GATHER_MS, restMs))
  }

  #announce(): void {
    const tag = this.#flags.tag()
    this.#announcedAtMs = this.#monotonic()
    this.#remember(tag)
    const message = this.#createRefetchMessage(tag)
    for (const stream of [...this.#streams]) stream.send(message)
  }

  #remember(tag: string): void {
    this.#announcedTags.push(tag)
    if (this.#announcedTags.length > MAX_ANNOUNCED_TAGS) this.#announcedTags.shift()
  }

  #stopFollowing(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  #createRefetchMessage(tag: string): EventMessage {
    const lastModified = Math.floor(this.#flags.changedAtMs() / 1000)
    return createMessage(tag, { type: 'refetchEvaluation', etag: `"${tag}"`, lastModified })
  }
}

/**
 * Creates a message that providers ignore. The message only sets the event id of the stream, which the page sends when
 * it reconnects.
 */
function createConnectedMessage(tag: string): EventMessage {
  return createMessage(tag, { type: 'connected' })
}

function createMessage(id: string, data: object): EventMessage {
  return createEventMessage({ id, event: 'message', data: JSON.stringify(data) })
}
