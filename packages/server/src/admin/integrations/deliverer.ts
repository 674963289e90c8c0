import { OutageLog } from '@burgee/kit/log/outage-log'
import { PeriodicJob } from '@burgee/kit/periodic-job'
import { Throttle } from '@burgee/kit/throttle'
import { startTimer } from '@burgee/kit/timer'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { Reader } from '@burgee/storage/database'
import { listEventsAfter } from '@burgee/storage/queries/events/event-tail'
import {
  type DeliveryRow,
  delayDelivery,
  findFirstDelivery,
  MAX_PENDING_DELIVERIES,
  queueEvents,
  recordAttempt,
  removeDelivery,
} from '@burgee/storage/queries/integrations/deliveries'
import { type IntegrationRow, listIntegrations } from '@burgee/storage/queries/integrations/integrations'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { record } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { DeliveryLease } from './delivery-lease.ts'
import type { DeliverySeries } from './delivery-series.ts'
import { type DeliveryMeans, type DeliveryResult, deliver, findEvent } from './integration-delivery.ts'
import { isSubscribed } from './matching.ts'
import { type GrantedProjects, readGrantedProjects } from './project-grants.ts'

/** Dependencies of the deliverer. */
export interface DelivererDeps extends DeliveryMeans {
  readonly series: DeliverySeries
  /**
   * Pauses between the attempts of a delivery, one after each failed attempt. After the last pause, the delivery is
   * dropped.
   */
  readonly pausesMs: readonly number[]
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
/** Default pauses, which add up to slightly more than an hour and a half. */
export const PAUSES_MS = [1, 5, 30, 120, 600, 1800, 3600].map((seconds) => seconds * SECOND_MS)
/**
 * Pause between attempts while the secrets of an integration cannot be decrypted. Such a delivery is retried without
 * limit until the key is available.
 */
const KEY_PAUSE_MS = MINUTE_MS
const POLL_MS = 5 * SECOND_MS
const MAX_EVENTS_PER_POLL = 500
const MAX_CLOSE_MS = 2 * SECOND_MS

/**
 * Delivers events to integrations. Each integration gets its events in order, one at a time, independently of all other
 * integrations. The queue is in the database, so a restart loses no delivery, but repeats the call that was in flight.
 * Failures never affect requests. Failures are recorded in the delivery log or, if that is impossible, in the server's
 * log.
 */
export class Deliverer {
  readonly #world: World
  readonly #deps: DelivererDeps
  readonly #lease: DeliveryLease
  readonly #busy = new Map<number, Promise<void>>()
  readonly #wakes = new Map<number, NodeJS.Timeout>()
  readonly #throttle = new Throttle()
  readonly #unsubscribe: () => void
  #rows: readonly IntegrationRow[] = []
  /** True if the list of integrations must be read again. */
  #isStale = true
  readonly #polls: PeriodicJob
  #queueing: Promise<void> | undefined
  #isPollRequested = false
  #isStarted = false
  #isClosed = false

  constructor(world: World, deps: DelivererDeps) {
    this.#world = world
    this.#deps = deps
    this.#lease = new DeliveryLease(world)
    const outage = new OutageLog({ begins: (error) => this.#failed(error) })
    this.#polls = new PeriodicJob({ run: async () => this.#poll(), everyMs: POLL_MS, outage })
    this.#unsubscribe = world.broadcast.subscribe(
      (events) => {
        if (events.some(({ type }) => type.startsWith('addon-config-'))) this.#isStale = true
        this.#poll()
      },
      () => {
        this.#isStale = true
        this.#poll()
      },
    )
  }

  /** Starts deliveries, including deliveries that an earlier process has queued. */
  start(): void {
    this.#isStarted = true
    this.#polls.start()
  }

  /** Stops deliveries, and waits at most two seconds for running deliveries. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#polls.close()
    for (const timer of this.#wakes.values()) clearTimeout(timer)
    this.#unsubscribe()
    const underWay = [this.#queueing, ...this.#busy.values()]
    // the next process repeats deliveries that do not finish in time
    await withTimeout(MAX_CLOSE_MS, Promise.all(underWay)).catch(() => {})
    await this.#lease.release()
  }

  /** Starts a poll. If a poll is already running, requests another one after it. */
  #poll(): void {
    if (!this.#isStarted || this.#isClosed) return
    this.#isPollRequested = true
    this.#queueing ??= this.#pollAll().finally(() => {
      this.#queueing = undefined
    })
  }

  async #pollAll(): Promise<void> {
    while (this.#isPollRequested && !this.#isClosed) {
      this.#isPollRequested = false
      try {
        await this.#reload()
        const enabled = this.#rows.filter((row) => row.enabled === 1)
        if (enabled.length === 0 || !(await this.#lease.acquire())) continue
        await this.#queue(enabled)
        for (const { id } of enabled) this.#work(id)
      } catch (error) {
        this.#isStale = true
        this.#failed(error)
      }
    }
  }

  /** Reads the list of integrations again if necessary. If integrations change during the query, it is repeated. */
  async #reload(): Promise<void> {
    if (!this.#isStale) return
    this.#isStale = false
    this.#rows = await listIntegrations(this.#world.db.reader)
  }

  /** Queues the events since the last poll. */
  async #queue(enabled: readonly IntegrationRow[]): Promise<void> {
    const { secret, granted } = await readPrivacy(this.#world.db.reader)
    let seen = Math.min(...enabled.map((row) => row.seen_event_id))
    for (;;) {
      const events = await listEventsAfter(this.#world.db.reader, seen, { limit: MAX_EVENTS_PER_POLL })
      const last = events.at(-1)
      if (last === undefined) break
      for (const row of enabled) {
        const ids = events
          .filter((event) => event.id > row.seen_event_id)
          .filter((event) => isSubscribed(row, event, { secret, granted: granted.get(row.id) }))
          .map(({ id }) => id)
        if (row.seen_event_id < last.id) await this.#add(row, ids, last.id)
      }
      seen = last.id
      if (events.length < MAX_EVENTS_PER_POLL || this.#isClosed) break
    }
    this.#rows = this.#rows.map((row) => ({ ...row, seen_event_id: Math.max(row.seen_event_id, seen) }))
  }

  async #add(row: IntegrationRow, ids: readonly number[], seen: number): Promise<void> {
    const now = this.#world.clock()
    const dropped = await record(this.#world, async (tx) => {
      const count = await queueEvents(tx, row.id, { ids, seen, now })
      if (count > 0) {
        const error = `${count} deliveries were dropped: more than ${MAX_PENDING_DELIVERIES} were pending`
        const line = { event_id: null, created_at: now, attempt: 0, status: null, duration_ms: 0, next_at: null }
        await recordAttempt(tx, { ...line, integration_id: row.id, state: 'failed', error })
      }
      return count
    })
    if (dropped === 0) return
    this.#deps.series.deliveries.add(dropped, { provider: row.provider, result: 'dropped' })
    this.#world.logger.warn(
      `Integration ${row.id} (${row.provider}): ${dropped} deliveries were dropped: more than ${MAX_PENDING_DELIVERIES} were pending`,
    )
  }

  #failed(error: unknown): void {
    const more = this.#isClosed ? undefined : this.#throttle.pass('failed')
    if (more !== undefined) this.#world.logger.warn(`Deliveries to integrations are paused${more}`, error)
  }

  #work(id: number): void {
    if (this.#busy.has(id) || this.#isClosed) return
    const work = this.#deliverAll(id)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#busy.delete(id))
    this.#busy.set(id, work)
  }

  /** Delivers the queued events of an integration until none is due. */
  async #deliverAll(id: number): Promise<void> {
    while (!this.#isClosed && this.#lease.isSafe()) {
      const first = await findFirstDelivery(this.#world.db.reader, id)
      if (first === undefined) return
      const waitMs = first.due_at - this.#world.clock()
      if (waitMs > 0) return this.#wake(id, waitMs)
      const row = this.#rows.find((one) => one.id === id)
      if (row === undefined || row.enabled === 0) return
      await this.#deliverOne(row, first)
    }
  }

  #wake(id: number, waitMs: number): void {
    clearTimeout(this.#wakes.get(id))
    this.#wakes.set(id, startTimer(waitMs, () => this.#poll()).unref())
  }

  async #deliverOne(row: IntegrationRow, waiting: DeliveryRow): Promise<void> {
    const { reader } = this.#world.db
    const event = await findEvent(reader, waiting.event_id)
    // the integration's settings and the visibility of the project may have changed since the event was queued
    const { secret, granted } = await readPrivacy(reader)
    if (event === undefined || !isSubscribed(row, event, { secret, granted: granted.get(row.id) }))
      return record(this.#world, (tx) => removeDelivery(tx, waiting))
    const result = await deliver(row, { event, part: waiting.part }, this.#deps)
    await this.#recordAttempt(row, waiting, result)
  }

  async #recordAttempt({ id, provider }: IntegrationRow, waiting: DeliveryRow, result: DeliveryResult): Promise<void> {
    const now = this.#world.clock()
    const pauseMs = this.#pauseAfter(waiting, result)
    const next_at = pauseMs === undefined ? null : now + pauseMs
    const attempts = waiting.attempts + 1
    await record(this.#world, async (tx) => {
      if (next_at === null) await removeDelivery(tx, waiting)
      else await delayDelivery(tx, { ...waiting, attempts, part: result.part, due_at: next_at })
      await recordAttempt(tx, {
        integration_id: id,
        event_id: waiting.event_id,
        created_at: now,
        attempt: attempts,
        next_at,
        state: result.error === undefined ? 'success' : 'failed',
        error: result.error ?? '',
        status: result.status ?? null,
        duration_ms: result.durationMs,
      })
    })
    const outcome = result.error === undefined ? 'success' : next_at === null ? 'failure' : 'retry'
    this.#deps.series.deliveries.add(1, { provider, result: outcome })
    this.#deps.series.durations.observe(result.durationMs / SECOND_MS, { provider })
    this.#world.debug?.(`Integration ${id}: event ${waiting.event_id}, try ${attempts}: ${result.error ?? 'delivered'}`)
  }

  /** Returns the pause before the next attempt; undefined if the delivery is finished. */
  #pauseAfter({ attempts }: DeliveryRow, { retry }: DeliveryResult): number | undefined {
    if (retry === 'never') return undefined
    return this.#deps.pausesMs[attempts] ?? (retry === 'unlimited' ? KEY_PAUSE_MS : undefined)
  }
}

/** Returns the current private projects and, for each integration, those whose events it may receive. */
async function readPrivacy(reader: Reader): Promise<{ secret: readonly string[]; granted: GrantedProjects }> {
  const secret = await listPrivateProjects(reader)
  return { secret, granted: await readGrantedProjects(reader, secret) }
}
