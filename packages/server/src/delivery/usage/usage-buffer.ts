import { compareText } from '@burgee/kit/compare-text'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { ToggleCounts } from '@burgee/serving/usage/flag-counts'
import { DatabaseGone } from '@burgee/storage/errors'
import { type TokenCaller, touchTokens } from '@burgee/storage/queries/usage/token-callers'
import { touchInstance, touchPersonalTokens, touchReporting } from '@burgee/storage/queries/usage/usage'
import { trimUsage } from '@burgee/storage/queries/usage/usage-trims'
import { record } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { isName, type ReportedCount, type Reporter, UsageCounts } from './buffered-counts.ts'
import { type DrainedRows, drainBuffer } from './drain-buffer.ts'
import { LastSeenCache } from './last-seen.ts'
import { NameWindow } from './name-window.ts'
import { RegisteredInstances, type ReportedInstance } from './registered-instances.ts'
import { getReportHour } from './report-hour.ts'
import { ReportingInstances } from './reporting-instances.ts'
import { Sightings } from './sightings.ts'
import { storeCounts } from './stored-counts.ts'
import type { OnWritten } from './usage-admission.ts'
import { APPLICATION_BOUNDS, INSTANCE_BOUNDS, MAX_STORED_ROWS, UNKNOWN_FLAG_BOUNDS } from './usage-bounds.ts'
import { WritePace } from './write-pace.ts'

/** Counts for a time interval, as SDKs send them. */
export interface Bucket {
  /** SDK timestamp text, or milliseconds since 1970. */
  readonly start: string | number
  readonly stop: string | number
  readonly toggles: Readonly<Record<string, ToggleCounts>>
}

/** Buffers SDK reports and writes them in batches, so that not every report costs a transaction. */
export interface Usage {
  /**
   * Adds the counts of one application. Flags named like built-in properties, such as `constructor`, are counted like
   * all others. Counts of flags in the reporter's projects are stored, and unknown flag names are recorded. A
   * registered instance is marked as seen, with a resolution of one minute.
   */
  count(reporter: Reporter, appName: string, bucket: Bucket, instanceId?: string): void
  /** Records an instance of an application. */
  instance(reporter: Reporter, seen: ReportedInstance): void
  /**
   * Records that a token was used, with a resolution of one minute, and the first caller that used it in that minute.
   */
  token(id: string, by?: () => TokenCaller): void
  /** Records that a personal token was used, with a resolution of one minute. */
  personalToken(id: number): void
  /**
   * Returns three numbers: reports received since the start, names dropped since the start, and names waiting to be
   * written.
   */
  readonly tally: () => { readonly reports: number; readonly dropped: number; readonly waiting: number }
  /** Writes the buffer. Data that cannot be written stays buffered and is retried. */
  flush(): Promise<void>
  /** Writes the remaining data and stops buffering. */
  close(): Promise<void>
}

/** Number of buffered rows that triggers an early write: half of the maximum number of names. */
const EARLY_WRITE_ROWS = 25_000
/** Name under which applications beyond the bound of their reporter are counted. */
const OTHER_APPLICATIONS = 'other applications'

/**
 * Creates the usage buffer. The buffer is written about once a second: less often if writes are slow, and sooner if
 * much data is buffered. The buffer is also written on close.
 *
 * @param written called with the counts that were written, because no event reports counts
 */
export function createUsage(world: World, written: OnWritten = () => {}): Usage {
  return new UsageBuffer(world, written)
}

class UsageBuffer implements Usage {
  readonly #world: World
  readonly #written: OnWritten
  readonly #counts = new UsageCounts()
  #reports = 0
  readonly #applications = new NameWindow(APPLICATION_BOUNDS)
  readonly #unknownFlags = new NameWindow(UNKNOWN_FLAG_BOUNDS)
  readonly #reporting = new ReportingInstances(INSTANCE_BOUNDS)
  readonly #instances = new RegisteredInstances(INSTANCE_BOUNDS)
  readonly #tokens = new Sightings<string, TokenCaller>()
  readonly #personalTokens = new Sightings<number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  /** Number of flushes that are running or queued. */
  #flushes = 0
  /** Number of callers that are waiting for a write to finish. While the number is above 0, writes do not pause. */
  #urgentCallers = 0
  readonly #pace = new WritePace()
  readonly #pauses = { pace: this.#pace, isUrgent: () => this.#urgentCallers > 0 }
  readonly #lastSeen = new LastSeenCache()
  #isClosed = false
  readonly #outage: OutageLog
  /** Drains the buffers in the order in which they are written. */
  readonly #drains: readonly (() => DrainedRows)[]
  /** True if a table may exceed its maximum number of rows. */
  #mayOverflow = false

  constructor(world: World, written: OnWritten) {
    this.#world = world
    this.#written = written
    this.#outage = new OutageLog({
      begins: (error) => {
        // the code that watches the database already logs the outage
        if (error instanceof DatabaseGone) return
        world.logger.warn('Cannot write usage; retrying with the next write', error)
      },
      ends: () => world.logger.info('Writing usage works again'),
    })
    this.#drains = this.#listDrains()
  }

  count(reporter: Reporter, appName: string, bucket: Bucket, instanceId?: string): void {
    const toggles = Object.entries(bucket.toggles)
    if (!isName(appName)) {
      this.#counts.drop(toggles.length)
      return
    }
    this.#reports += 1
    const now = this.#world.clock()
    if (instanceId !== undefined) this.#reporting.record(reporter, { appName, instanceId }, now)
    const hour = getReportHour(bucket.stop, now)
    const application = this.#applications.admits(reporter, appName, now) ? appName : OTHER_APPLICATIONS
    // the request schema also allows values of other types
    const counted = toggles.filter(([, toggle]) => typeof toggle === 'object' && toggle !== null)
    this.#counts.add({ reporter, appName: application, hour }, counted)
    this.#schedule()
  }

  instance(reporter: Reporter, seen: ReportedInstance): void {
    if (this.#instances.record(reporter, seen, this.#world.clock())) this.#schedule()
  }

  token(id: string, by?: () => TokenCaller): void {
    if (this.#tokens.record(id, this.#world.clock(), by)) this.#schedule()
  }

  personalToken(id: number): void {
    if (this.#personalTokens.record(id, this.#world.clock())) this.#schedule()
  }

  readonly tally = () => ({
    reports: this.#reports,
    dropped: this.#counts.dropped,
    waiting: this.#counts.bufferedNames,
  })

  flush(): Promise<void> {
    this.#urgentCallers += 1
    return this.#flush().finally(() => {
      this.#urgentCallers -= 1
    })
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushes += 1
    this.#writing = this.#writing
      .then(() => this.#write())
      .finally(() => {
        this.#flushes -= 1
        if (this.#countBuffered > 0) this.#schedule()
      })
    return this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  get #countBuffered(): number {
    return this.#counts.rows + this.#instances.size
  }

  #schedule(): void {
    if (this.#isClosed) return
    // do not start another write while one is running, and do not retry a failed write at once
    const mayBeNow = this.#flushes === 0 && !this.#outage.isFailing
    if (mayBeNow && this.#countBuffered >= EARLY_WRITE_ROWS) void this.#flush()
    else this.#timer ??= setTimeout(() => void this.#flush(), this.#pace.pauseMs).unref()
  }

  async #write(): Promise<void> {
    const drained = this.#drains.map((drain) => drain()).filter(({ size }) => size > 0)
    if (drained.length === 0) return
    let tookMs = 0
    try {
      for (const rows of drained) tookMs += await rows.write(this.#pauses)
    } catch (error) {
      this.#outage.fail(error)
      for (const rows of drained) rows.restore()
      this.#schedule()
      return
    }
    this.#world.debug?.(`Wrote usage: ${drained.map(formatSize).join(', ')}`)
    this.#outage.succeed()
    this.#pace.recordWrite(tookMs)
    if (this.#mayOverflow) await this.#trim()
  }

  #listDrains(): readonly (() => DrainedRows)[] {
    const { clock } = this.#world
    return [
      () =>
        drainBuffer({
          kind: 'count',
          drain: () => this.#counts.take(),
          write: (part) => this.#writeCounts(part),
          restore: (rest) => {
            for (const count of rest) this.#counts.restore(count)
          },
        }),
      () =>
        drainBuffer({
          kind: 'instance',
          drain: () => this.#instances.take(),
          write: async (part) => {
            const now = clock()
            await record(this.#world, async (tx) => {
              for (const seen of part) await touchInstance(tx, seen, now)
            })
            this.#mayOverflow = true
          },
          restore: (rest) => this.#instances.putBack(rest),
        }),
      () =>
        drainBuffer({
          kind: 'reporting instance',
          drain: () => [...this.#reporting.take()].toSorted(([a], [b]) => compareText(a, b)),
          write: (part) => {
            const seen = part.flatMap(([, { at, by }]) => (by === undefined ? [] : [{ ...by, at }]))
            return record(this.#world, (tx) => touchReporting(tx, seen))
          },
          restore: (rest) => this.#reporting.putBack(new Map(rest)),
        }),
      () =>
        drainBuffer({
          kind: 'token',
          drain: () => [...this.#tokens.take()],
          write: (part) => record(this.#world, (tx) => touchTokens(tx, new Map(part))),
          restore: (rest) => this.#tokens.putBack(new Map(rest)),
        }),
      () =>
        drainBuffer({
          kind: 'personal token',
          drain: () => [...this.#personalTokens.take()],
          write: (part) => record(this.#world, (tx) => touchPersonalTokens(tx, new Map(part))),
          restore: (rest) => this.#personalTokens.putBack(new Map(rest)),
        }),
    ]
  }

  async #writeCounts(part: readonly ReportedCount[]): Promise<void> {
    const now = this.#world.clock()
    const budgets = { lastSeen: this.#lastSeen, unknownFlags: this.#unknownFlags }
    const { counts, dropped, touched, noted } = await record(this.#world, (tx) => storeCounts(tx, part, now, budgets))
    this.#mayOverflow ||= noted > 0
    this.#counts.drop(dropped)
    this.#lastSeen.record(touched, now)
    this.#written(counts)
  }

  /**
   * Deletes excess rows in a separate transaction: two nodes that delete at the same time can conflict, and such a
   * conflict must not roll back the counts.
   */
  async #trim(): Promise<void> {
    try {
      await record(this.#world, (tx) => trimUsage(tx, MAX_STORED_ROWS))
      this.#mayOverflow = false
    } catch (error) {
      this.#world.logger.warn('Cannot trim the names reported by SDKs; retrying with the next report', error)
    }
  }
}

function formatSize({ kind, size }: DrainedRows): string {
  return `${size} ${kind}${size === 1 ? '' : 's'}`
}
