import { createEventMessage, type EventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream, StreamOwner } from '@burgee/kit/streams/event-streams'
import { type EventSummaries, type EventSummary, isAdminEvent, type LogPosition } from '@burgee/protocol/event'
import { type Revision, readPosition } from '@burgee/storage/epochs'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import {
  type CallerPermissions,
  type IdentityServices,
  readCallerPermissions,
} from '../../core/access/logins/caller-permissions.ts'
import { isMembershipEvent } from '../../core/access/rights/hidden-projects.ts'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import type { World } from '../../core/world.ts'
import type { FleetBook } from '../../delivery/fleet/fleet-book.ts'
import type { RecentChange } from '../../delivery/fleet/recent-changes.ts'

const BATCH_MS = 50
/** Maximum number of events per message. If there are more events, the message makes clients reload everything. */
const MAX_EVENTS_PER_MESSAGE = 500
/** Interval at which sessions are rechecked, because the expiry of a session creates no event. */
const RECHECK_MS = 60_000

interface Follower {
  readonly actor: Actor
  permissions: CallerPermissions
}

type StreamWorld = Pick<World, 'db' | 'broadcast' | 'clock' | 'logger'> & {
  readonly fleet: Pick<FleetBook, 'subscribe'>
}

/**
 * Notifies open pages when something has changed. Changes that occur within a few milliseconds are combined into one
 * message, which is built once for all streams that may see the same events. If a user's permissions change, the
 * streams of that user are updated. When the session or token of a stream ends, the stream is closed before any later
 * event is sent.
 */
export class AdminEventStream {
  readonly #world: StreamWorld
  readonly #people: IdentityServices
  readonly #followers = new Map<EventStream, Follower>()
  readonly #unsubscribes: readonly (() => void)[]
  #pending: StoredEvent[] = []
  #lastId = 0
  /** Database epoch of `#lastId`; '' until a position was read. */
  #epoch = ''
  #timer: NodeJS.Timeout | undefined
  #recheckTimer: NodeJS.Timeout | undefined
  #sending = Promise.resolve()

  constructor(world: StreamWorld, people: IdentityServices) {
    this.#world = world
    this.#people = people
    this.#unsubscribes = [
      world.broadcast.subscribe(
        (events) => this.#onEvents(events),
        (revision) => this.#onRestored(revision),
      ),
      world.fleet.subscribe((changes) => this.#enqueue(async () => this.#sendDelivery(changes))),
    ]
  }

  /** Returns the current position of the event log. Throws database errors. */
  async position(): Promise<LogPosition> {
    const before = this.#epoch
    const { epoch, id, madeAt } = await readPosition(this.#world.db.reader)
    // if the database was restored during the read, the epoch that was read may be the old one
    if (this.#epoch === before) this.#epoch = epoch
    const sinceLastEventMs = madeAt === null ? Number.MAX_SAFE_INTEGER : Math.max(0, this.#world.clock() - madeAt)
    return { lastEventId: id, epoch, sinceLastEventMs }
  }

  /** Sends the current log position to a stream, and after that every later change. */
  follow(stream: EventStream, actor: Actor, position: LogPosition): StreamOwner {
    const isBehind = position.epoch !== this.#epoch || this.#lastId > position.lastEventId
    stream.send(buildConnectedMessage(isBehind ? this.#now() : position))
    this.#followers.set(stream, {
      actor,
      permissions: { isAdmin: hasPermission(actor, 'ADMIN'), hidden: actor.hidden },
    })
    this.#recheckTimer ??= setInterval(() => this.#enqueue(() => this.#recheck()), RECHECK_MS).unref()
    return {
      ended: () => {
        this.#followers.delete(stream)
        if (this.#followers.size === 0) this.#rest()
      },
      caughtUp: () => stream.send(buildConnectedMessage(this.#now())),
    }
  }

  /** Stops all work; streams end with the process. */
  close(): void {
    for (const unsubscribe of this.#unsubscribes) unsubscribe()
    this.#followers.clear()
    this.#rest()
  }

  #rest(): void {
    clearInterval(this.#recheckTimer)
    clearTimeout(this.#timer)
    this.#recheckTimer = undefined
    this.#timer = undefined
    this.#pending = []
  }

  /** Returns a position that makes clients reload everything, because it pretends that a change has just happened. */
  #now(): LogPosition {
    return { lastEventId: this.#lastId, epoch: this.#epoch, sinceLastEventMs: 0 }
  }

  #onEvents(events: readonly StoredEvent[]): void {
    this.#lastId = events.at(-1)?.id ?? this.#lastId
    if (this.#followers.size === 0) return
    // reading one event more than the limit is enough to detect an overflow
    this.#pending.push(...events.slice(0, MAX_EVENTS_PER_MESSAGE + 1 - this.#pending.length))
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#enqueue(() => this.#send())
    }, BATCH_MS)
  }

  #onRestored({ epoch, id }: Revision): void {
    this.#lastId = id
    this.#epoch = epoch
    this.#pending = []
    for (const stream of this.#followers.keys()) stream.send(buildConnectedMessage(this.#now()))
  }

  /** Notifies open pages that the delivery receipts of recent changes may have changed. */
  #sendDelivery(changes: readonly RecentChange[]): void {
    const messages = new Map<string, EventMessage | undefined>()
    for (const [stream, { permissions }] of this.#followers) {
      const key = JSON.stringify(permissions.hidden)
      if (!messages.has(key)) messages.set(key, buildDeliveryMessage(permissions, changes))
      const message = messages.get(key)
      if (message !== undefined) stream.send(message)
    }
  }

  /** Queues work to run after all earlier work, so that no message is sent while permissions are being rechecked. */
  #enqueue(work: () => Promise<void>): void {
    this.#sending = this.#sending.then(work).catch((error: unknown) => {
      this.#world.logger.warn('Cannot notify open pages of events', error)
    })
  }

  async #send(): Promise<void> {
    const events = this.#pending
    this.#pending = []
    const open = events.filter(({ type }) => !isAdminEvent(type))
    if (open.length < events.length || events.some(({ type }) => isMembershipEvent(type))) await this.#recheck()
    const isTooMuch = events.length > MAX_EVENTS_PER_MESSAGE
    const all = isTooMuch ? buildConnectedMessage(this.#now()) : undefined
    const messages = new Map<string, EventMessage | undefined>()
    for (const [stream, { permissions }] of this.#followers) {
      const key = JSON.stringify(permissions)
      if (!messages.has(key))
        messages.set(key, all ?? buildMessageFor(permissions, permissions.isAdmin ? events : open))
      const message = messages.get(key)
      if (message !== undefined) stream.send(message)
    }
  }

  /**
   * Rechecks the sessions and permissions of all streams. If the database does not answer, streams continue unchanged.
   */
  async #recheck(): Promise<void> {
    const found = new Map<string, Awaited<ReturnType<typeof readCallerPermissions>> | 'unknown'>()
    for (const [stream, follower] of [...this.#followers]) {
      const { session, token, personalToken } = follower.actor
      const key = session ?? token?.id ?? `personal ${personalToken}`
      if (!found.has(key)) {
        const looked = readCallerPermissions(this.#world, this.#people, follower.actor)
        found.set(key, await looked.catch(() => 'unknown' as const))
      }
      const standing = found.get(key)
      if (standing === undefined) stream.end()
      else if (standing !== 'unknown') follower.permissions = standing
    }
  }
}

function buildConnectedMessage(position: LogPosition): EventMessage {
  return createEventMessage({ event: 'connected', id: String(position.lastEventId), data: JSON.stringify(position) })
}

/** Builds the message with the events that a follower may see; undefined if the follower may see none of them. */
function buildMessageFor({ hidden }: CallerPermissions, events: readonly StoredEvent[]): EventMessage | undefined {
  const own = events.filter(({ project }) => project === null || !hidden.includes(project))
  return own.length === 0 ? undefined : buildMessage(own)
}

/** Builds the message about the changes that a follower may see; undefined if the follower may see none of them. */
function buildDeliveryMessage(
  { hidden }: CallerPermissions,
  changes: readonly RecentChange[],
): EventMessage | undefined {
  const own = changes.filter(({ project }) => project === null || !hidden.includes(project))
  if (own.length === 0) return undefined
  const receipts = own.map(({ id, project, environment, featureName }) => ({ id, project, environment, featureName }))
  return createEventMessage({ event: 'delivery', data: JSON.stringify({ changes: receipts }) })
}

function buildMessage(events: readonly StoredEvent[]): EventMessage {
  const news = events.map(
    ({ id, type, project, environment, featureName }): EventSummary => ({
      id,
      type,
      project,
      environment,
      featureName,
    }),
  )
  const data = JSON.stringify({ events: news } satisfies EventSummaries)
  return createEventMessage({ event: 'events', id: String(events.at(-1)?.id), data })
}
