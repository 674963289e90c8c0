import type { IncomingHttpHeaders } from 'node:http'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { createEventMessage, type EventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream, StreamOwner } from '@burgee/kit/streams/event-streams'
import Type from 'typebox'

/** Flags whose changes are sent to streams. */
export interface FollowedFlags {
  /** Returns the tag of the current flags. Equal tags mean equal flags, on every node and after every restart. */
  tag(): string
  /** Returns the time of the last change, in milliseconds since 1970. */
  changedAtMs(): number
  /** Returns the milliseconds since the last change, by the monotonic clock. */
  changedAgoMs(): number
  /**
   * Calls `changed` when the flags may have changed and responses already use the new flags. Returns a function that
   * unsubscribes the listener.
   */
  subscribe(changed: () => void): () => void
}

/** Kind of OpenFeature streams, for metrics and limits. */
export const OFREP_STREAM_KIND = 'openfeature'
/** Path of the streams below the base path. */
export const OFREP_STREAM_PATH = '/ofrep/v1/stream'
/** Query of a stream: its channel. */
export const ofrepStreamQuery = Type.Object({ c: Type.String({ maxLength: 200 }) })
/** Returns the `Last-Event-ID` that a provider sends, or undefined. */
export function getLastEventId(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['last-event-id']
  return typeof sent === 'string' ? sent : undefined
}

/** Time after which hidden pages close their stream. Source: the default of OFREP 0.3.0 */
export const INACTIVITY_SECONDS = 120

/**
 * Delay before the first message of a burst. Providers coalesce messages that arrive within 50 ms. In a longer burst,
 * each message makes every provider send one request.
 */
const GATHER_MS = 50
/**
 * Minimum time between two messages. The OpenFeature web provider does not order its requests. If two requests are in
 * flight, the older response may arrive last and stay in effect.
 */
const PACE_MS = 250
/**
 * Time after a change during which a page without `Last-Event-ID` counts as up to date, because the page has just
 * fetched its flags.
 */
const RECENT_MS = 10_000
/** Maximum wait for a change that this node has not received yet. Changes normally arrive within this time. */
const MAX_WAIT_MS = 500
const MAX_ANNOUNCED_TAGS = 16

/**
 * Event streams of the providers that share the same flags. A message only notifies a provider that flags have changed;
 * the provider then fetches the flags. A reconnecting provider with outdated flags is notified at once, because it
 * would not fetch its flags otherwise. Source: OFREP 0.3.0, event streams; behavior of the OpenFeature web provider.
 */
export class ChangeStreams {
  readonly #flags: FollowedFlags
  readonly #monotonic: MonotonicClock
  readonly #streams = new Set<EventStream>()
  /** Tags that were announced to streams, newest last. */
  readonly #announcedTags: string[] = []
  #announcedAtMs = Number.NEGATIVE_INFINITY
  #unsubscribe: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(flags: FollowedFlags, monotonic: MonotonicClock) {
    this.#flags = flags
    this.#monotonic = monotonic
  }

  /** True if there are no streams. */
  get isIdle(): boolean {
    return this.#streams.size === 0
  }

  /**
   * Adds a stream of a provider. `lastEventId` is the id of the last event that the provider received; undefined if
   * there is none.
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
   * Waits briefly for flags that a provider knows from another node and that this node has not received yet. Returns
   * undefined if the flags that the provider knows are in use here, or were in use before.
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
    // a change is announced even if the flags change back in the meantime: a client may have fetched in between
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
 * Creates a message that providers ignore. The message only sets the stream's event id, which the page sends when it
 * reconnects.
 */
function createConnectedMessage(tag: string): EventMessage {
  return createMessage(tag, { type: 'connected' })
}

function createMessage(id: string, data: object): EventMessage {
  return createEventMessage({ id, event: 'message', data: JSON.stringify(data) })
}
