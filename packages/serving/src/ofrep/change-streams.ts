import type { IncomingHttpHeaders } from 'node:http'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { type EventMessage, eventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream, StreamOwner } from '@burgee/kit/streams/event-streams'
import Type from 'typebox'

/** Flags that somebody follows. */
export interface FollowedFlags {
  /** Names what they are now: equal tags, equal flags, on every node and after every restart. */
  tag(): string
  /** When they last became what they are, in milliseconds since 1970. */
  changedAtMs(): number
  /** Milliseconds since then, by the monotonic clock. */
  changedAgoMs(): number
  /** Calls where they may have become others, and answers are made of those; the result ends that. */
  follow(changed: () => void): () => void
}

/** The kind of these streams, in series and limits. */
export const OFREP_STREAMS = 'openfeature'
/** Where they are, below the base path. */
export const OFREP_STREAM = '/ofrep/v1/stream'
/** Query of a stream: its channel. */
export const ofrepStreamQuery = Type.Object({ c: Type.String({ maxLength: 200 }) })
/** The last message that a provider says it has; undefined where it says none. */
export function lastEventIdOf(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['last-event-id']
  return typeof sent === 'string' ? sent : undefined
}

/** Pages close their stream when they have been hidden for so long. Source: OFREP 0.3.0, the default */
export const INACTIVITY_SECONDS = 120

/** Providers gather what comes within 50 ms; a burst makes one question of each all the same. */
const GATHER_MS = 50
/**
 * Between two messages. The established provider does not put its questions in order: where two are under way, the
 * older answer may come last and stay.
 */
const PACE_MS = 250
/** A page that comes without a word of what it has has read its flags just before. */
const RECENT_MS = 10_000
/** A node that has not heard of a change yet hears of it within this time, or not soon. */
const LONGEST_WAIT_MS = 500
const MOST_REMEMBERED = 16

/**
 * Streams of providers that get the same flags. A provider is told that there are others, and reads them by itself; one
 * that comes again is told so at once where its flags are not those of now, since it would not ask by itself. Source:
 * OFREP 0.3.0, event streams; what the established web provider does.
 */
export class ChangeStreams {
  readonly #flags: FollowedFlags
  readonly #monotonic: MonotonicClock
  readonly #streams = new Set<EventStream>()
  /** Tags that were told, the newest last. */
  readonly #told: string[] = []
  #toldAtMs = Number.NEGATIVE_INFINITY
  #unfollow: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(flags: FollowedFlags, monotonic: MonotonicClock) {
    this.#flags = flags
    this.#monotonic = monotonic
  }

  /** Whether nobody follows. */
  get isIdle(): boolean {
    return this.#streams.size === 0
  }

  /** A stream of somebody who has heard of `lastEventId`, if of anything. */
  join(stream: EventStream, lastEventId: string | undefined): Required<StreamOwner> {
    const tag = this.#flags.tag()
    if (this.#unfollow === undefined) {
      this.#unfollow = this.#flags.follow(() => this.#changed())
      this.#remember(tag)
    }
    const isOld = lastEventId === undefined ? this.#flags.changedAgoMs() < RECENT_MS : lastEventId !== tag
    stream.send(isOld ? this.#refetch(tag) : connected(tag))
    this.#streams.add(stream)
    return {
      ended: () => {
        this.#streams.delete(stream)
        if (this.#streams.size === 0) this.#rest()
      },
      caughtUp: () => stream.send(this.#refetch(this.#flags.tag())),
    }
  }

  /**
   * Waits a moment for flags that a provider has heard of and that are not here yet; undefined where they are here, or
   * were.
   */
  reached(tag: string): Promise<void> | undefined {
    const plain = tag.replace(/^(?:W\/)?"(.*)"$/, '$1')
    if (this.#told.includes(plain) || this.#flags.tag() === plain) return undefined
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        unfollow()
        resolve()
      }
      const timer = setTimeout(done, LONGEST_WAIT_MS)
      const unfollow = this.#flags.follow(done)
    })
  }

  #changed(): void {
    // also where they are the same again when it is told: who has asked in between has others
    if (this.#timer !== undefined || this.#flags.tag() === this.#told.at(-1)) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#tell()
    }, this.#waitMs()).unref()
  }

  #waitMs(): number {
    const restMs = this.#toldAtMs + PACE_MS - this.#monotonic()
    return Math.min(PACE_MS, Math.max(GATHER_MS, restMs))
  }

  #tell(): void {
    const tag = this.#flags.tag()
    this.#toldAtMs = this.#monotonic()
    this.#remember(tag)
    const message = this.#refetch(tag)
    for (const stream of [...this.#streams]) stream.send(message)
  }

  #remember(tag: string): void {
    this.#told.push(tag)
    if (this.#told.length > MOST_REMEMBERED) this.#told.shift()
  }

  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#unfollow?.()
    this.#unfollow = undefined
  }

  #refetch(tag: string): EventMessage {
    const lastModified = Math.floor(this.#flags.changedAtMs() / 1000)
    return messageOf(tag, { type: 'refetchEvaluation', etag: `"${tag}"`, lastModified })
  }
}

/** Of a type that providers do not act on: it only gives the stream its id, which comes back when the page does. */
function connected(tag: string): EventMessage {
  return messageOf(tag, { type: 'connected' })
}

function messageOf(id: string, data: object): EventMessage {
  return eventMessage({ id, event: 'message', data: JSON.stringify(data) })
}
