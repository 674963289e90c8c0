import { OutageLog } from '@burgee/kit/log/outage-log'
import { PeriodicJob } from '@burgee/kit/periodic-job'
import { withTimeout } from '@burgee/kit/with-timeout'
import { readExportPage } from '@burgee/storage/queries/events/event-export'
import { readNewestEventId } from '@burgee/storage/queries/events/events'
import { readExportPosition, storeExportPosition } from '@burgee/storage/queries/events/export-position'
import { record } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { DeliveryLease } from '../integrations/delivery-lease.ts'
import type { SendEvents } from './event-receivers.ts'
import type { AuditExportSeries } from './export-series.ts'

/** Dependencies of the exporter. */
export interface AuditExporterDeps {
  readonly send: SendEvents
  readonly series: AuditExportSeries
  /** True if the first export begins with the oldest stored event, false if it begins with the next event. */
  readonly startsWithAll: boolean
  /** Host of the receiver, for the log. */
  readonly receiver: string
  /** Pause after each pass, in milliseconds; events do not end it early. */
  readonly everyMs?: number
}

const EVERY_MS = 2000
const MAX_CLOSE_MS = 2000

/**
 * Sends every event to the receiver that the options name, in order and at least once. The position is in the database
 * and advances only after the receiver has taken a batch. After a failure, the batch is sent again with the next pass,
 * without an end. With several nodes, one node at a time sends.
 */
export class AuditExporter {
  readonly #world: World
  readonly #deps: AuditExporterDeps
  readonly #lease: DeliveryLease
  readonly #job: PeriodicJob

  constructor(world: World, deps: AuditExporterDeps) {
    this.#world = world
    this.#deps = deps
    this.#lease = new DeliveryLease(world, 'audit-export')
    const outage = new OutageLog({
      begins: (error) => world.logger.warn(`Cannot export events to ${deps.receiver}; retrying`, error),
      ends: () => world.logger.info(`Exporting events to ${deps.receiver} works again`),
    })
    this.#job = new PeriodicJob({ run: () => this.run(), everyMs: deps.everyMs ?? EVERY_MS, outage })
  }

  /** Starts to send, after the last event that the receiver has taken. */
  start(): void {
    this.#job.start()
  }

  /** Stops, and waits at most two seconds for the current batch. */
  async close(): Promise<void> {
    // the next process sends a batch again that does not end in time
    await withTimeout(MAX_CLOSE_MS, this.#job.close()).catch(() => {})
    await this.#lease.release()
  }

  /** Sends all events that the receiver has not taken yet. Rejects with the error of the first batch that fails. */
  async run(): Promise<void> {
    if (!(await this.#lease.acquire())) {
      this.#deps.series.setWaiting(undefined)
      return
    }
    let position = await this.#readPosition()
    while (!this.#job.isClosed && this.#lease.isSafe()) {
      const { reader } = this.#world.db
      this.#deps.series.setWaiting((await readNewestEventId(reader)) - position)
      const events = await readExportPage(reader, { ...EVERYTHING, afterId: position })
      const last = events.at(-1)
      if (last === undefined) break
      await this.#sendBatch(events)
      position = last.id
      await record(this.#world, (tx) => storeExportPosition(tx, last.id))
      if (!(await this.#lease.acquire())) break
    }
  }

  async #sendBatch(events: Parameters<SendEvents>[0]): Promise<void> {
    const { send, series } = this.#deps
    try {
      await send(events)
    } catch (error) {
      series.failures.add(1)
      throw error
    }
    series.events.add(events.length)
  }

  /** Returns the stored position. Before the first export, stores the position at which it begins. */
  async #readPosition(): Promise<number> {
    const stored = await readExportPosition(this.#world.db.reader)
    if (stored !== undefined) return stored
    return record(this.#world, async (tx) => {
      const first = this.#deps.startsWithAll ? 0 : await readNewestEventId(tx)
      await storeExportPosition(tx, first)
      return first
    })
  }
}

/** Conditions that every event meets. */
const EVERYTHING = { columns: [], hidden: [] }
