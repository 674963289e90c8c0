import { type EventMessage, eventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream, StreamOwner } from '@burgee/kit/streams/event-streams'
import { type EventNews, type EventsTold, isForAdmins, type LogPosition } from '@burgee/protocol/event'
import { currentMark } from '../store/epochs.ts'
import type { StoredEvent } from '../store/events/events.ts'
import { type People, type Standing, standingOf } from './access/logins/standing.ts'
import { isAboutMembers } from './access/rights/hidden-projects.ts'
import { type Actor, may } from './access/rights/rights.ts'
import type { World } from './world.ts'

const GATHERING_MS = 50
/** Maximum number of events per message; with more events, clients reload everything. */
const MOST_TOLD = 500
/** Interval for rechecking sessions: expiry of a session produces no event. */
const LOOK_AGAIN_MS = 60_000

interface Follower {
  readonly actor: Actor
  standing: Standing
}

type Feed = Pick<World, 'db' | 'broadcast' | 'clock' | 'logger'>

/**
 * Notifies open pages of changes. Changes within some milliseconds are combined into one message, which is built once
 * for all streams with the same visibility. A stream ends when its session or token does, before any later event is
 * sent, and follows permission changes of its user.
 */
export class NewsFeed {
  readonly #world: Feed
  readonly #people: People
  readonly #followers = new Map<EventStream, Follower>()
  readonly #unsubscribe: () => void
  #waiting: StoredEvent[] = []
  #lastId = 0
  #timer: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  #telling = Promise.resolve()

  constructor(world: Feed, people: People) {
    this.#world = world
    this.#people = people
    this.#unsubscribe = world.broadcast.subscribe(
      (events) => this.#hear(events),
      ({ id }) => this.#beginAnew(id),
    )
  }

  /** Returns the current position of the event log. Throws database errors. */
  async position(): Promise<LogPosition> {
    const { id, madeAt } = await currentMark(this.#world.db.reader)
    const sinceLastEventMs = madeAt === null ? Number.MAX_SAFE_INTEGER : Math.max(0, this.#world.clock() - madeAt)
    return { lastEventId: id, sinceLastEventMs }
  }

  /** Sends the position of the log to a stream, then every later change. */
  follow(stream: EventStream, actor: Actor, { lastEventId, sinceLastEventMs }: LogPosition): StreamOwner {
    const isBehind = this.#lastId > lastEventId
    stream.send(connected(isBehind ? this.#now() : { lastEventId, sinceLastEventMs }))
    this.#followers.set(stream, {
      actor,
      standing: { isAdmin: may(actor, 'ADMIN'), hidden: actor.hidden ?? [] },
    })
    this.#looking ??= setInterval(() => this.#then(() => this.#lookAgain()), LOOK_AGAIN_MS).unref()
    return {
      ended: () => {
        this.#followers.delete(stream)
        if (this.#followers.size === 0) this.#rest()
      },
      caughtUp: () => stream.send(connected(this.#now())),
    }
  }

  /** Stops all work; streams end with the process. */
  close(): void {
    this.#unsubscribe()
    this.#followers.clear()
    this.#rest()
  }

  #rest(): void {
    clearInterval(this.#looking)
    clearTimeout(this.#timer)
    this.#looking = undefined
    this.#timer = undefined
    this.#waiting = []
  }

  /** Returns a position that looks like a change just now, so that clients reload. */
  #now(): LogPosition {
    return { lastEventId: this.#lastId, sinceLastEventMs: 0 }
  }

  #hear(events: readonly StoredEvent[]): void {
    this.#lastId = events.at(-1)?.id ?? this.#lastId
    if (this.#followers.size === 0) return
    // one event above the limit suffices to detect the overflow
    this.#waiting.push(...events.slice(0, MOST_TOLD + 1 - this.#waiting.length))
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#then(() => this.#tell())
    }, GATHERING_MS)
  }

  #beginAnew(id: number): void {
    this.#lastId = id
    this.#waiting = []
    for (const stream of this.#followers.keys()) stream.send(connected(this.#now()))
  }

  /**
   * Runs the given work after all work passed before, so that no message is sent while permissions are being rechecked.
   */
  #then(work: () => Promise<void>): void {
    this.#telling = this.#telling.then(work).catch((error: unknown) => {
      this.#world.logger.warn('Open pages could not be told what happened', error)
    })
  }

  async #tell(): Promise<void> {
    const events = this.#waiting
    this.#waiting = []
    const open = events.filter(({ type }) => !isForAdmins(type))
    if (open.length < events.length || events.some(({ type }) => isAboutMembers(type))) await this.#lookAgain()
    const isTooMuch = events.length > MOST_TOLD
    const all = isTooMuch ? connected(this.#now()) : undefined
    const messages = new Map<string, EventMessage | undefined>()
    for (const [stream, { standing }] of this.#followers) {
      const key = JSON.stringify(standing)
      if (!messages.has(key)) messages.set(key, all ?? toldTo(standing, standing.isAdmin ? events : open))
      const message = messages.get(key)
      if (message !== undefined) stream.send(message)
    }
  }

  /** Rechecks sessions and permissions. If the database does not answer, streams continue unchanged. */
  async #lookAgain(): Promise<void> {
    const found = new Map<string, Awaited<ReturnType<typeof standingOf>> | 'unknown'>()
    for (const [stream, follower] of [...this.#followers]) {
      const { session, token, personalToken } = follower.actor
      const key = session ?? token?.id ?? `personal ${personalToken}`
      if (!found.has(key)) {
        const looked = standingOf(this.#world, this.#people, follower.actor)
        found.set(key, await looked.catch(() => 'unknown' as const))
      }
      const standing = found.get(key)
      if (standing === undefined) stream.end()
      else if (standing !== 'unknown') follower.standing = standing
    }
  }
}

function connected(position: LogPosition): EventMessage {
  return eventMessage({ event: 'connected', id: String(position.lastEventId), data: JSON.stringify(position) })
}

/** Builds the message of the events that a follower may see; undefined if there are none. */
function toldTo({ hidden }: Standing, events: readonly StoredEvent[]): EventMessage | undefined {
  const own = events.filter(({ project }) => project === null || !hidden.includes(project))
  return own.length === 0 ? undefined : told(own)
}

function told(events: readonly StoredEvent[]): EventMessage {
  const news = events.map(
    ({ id, type, project, environment, featureName }): EventNews => ({ id, type, project, environment, featureName }),
  )
  const data = JSON.stringify({ events: news } satisfies EventsTold)
  return eventMessage({ event: 'events', id: String(events.at(-1)?.id), data })
}
