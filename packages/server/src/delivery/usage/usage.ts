import { compareText } from '@burgee/kit/compare-text'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { ToggleCounts } from '@burgee/serving/usage/flag-counts'
import { DatabaseGone } from '@burgee/storage/errors'
import { type TokenCaller, type TokenUse, touchTokens } from '@burgee/storage/queries/usage/token-callers'
import {
  type RegisteredInstance,
  touchInstance,
  touchPersonalTokens,
  touchReporting,
} from '@burgee/storage/queries/usage/usage'
import { trimUsage } from '@burgee/storage/queries/usage/usage-trims'
import { record } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { LastSeenCache } from './last-seen.ts'
import { NameWindow } from './name-window.ts'
import { writeInParts } from './part-writer.ts'
import { getReportHour, HOUR_MS } from './report-hour.ts'
import { getInstanceKey, ReportingInstances, type SeenInstances } from './reporting-instances.ts'
import { type Sighting, Sightings } from './sightings.ts'
import { storeCounts } from './stored-counts.ts'
import type { OnWritten } from './usage-admission.ts'
import { isName, type ReportedCount, type Reporter, UsageCounts } from './usage-counts.ts'
import { WritePace } from './write-pace.ts'

/** Counts of a time interval, as SDKs send them. */
export interface Bucket {
  /** SDK timestamp text, or milliseconds since 1970. */
  readonly start: string | number
  readonly stop: string | number
  readonly toggles: Readonly<Record<string, ToggleCounts>>
}

/** Instance as reported by the SDK itself. */
export type ReportedInstance = Omit<RegisteredInstance, 'environment' | 'projects' | 'isPublic'>

/** Buffers SDK reports and writes them in batches, so that reports do not cost a transaction each. */
export interface Usage {
  /**
   * Adds the counts of one application. Any name is accepted as data. Counts of flags in the reporter's projects are
   * stored, and unknown flag names are recorded. A registered instance is marked as seen, with a resolution of one
   * minute.
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
   * Returns the number of reports and of dropped names since the start, and the number of names waiting to be written.
   */
  readonly tally: () => { readonly reports: number; readonly dropped: number; readonly waiting: number }
  /** Writes the buffer. Data that cannot be written stays buffered and is retried. */
  flush(): Promise<void>
  /** Writes the remaining data and stops buffering. */
  close(): Promise<void>
}

const MINUTE_MS = 60_000
const MAX_INSTANCES = 20_000
/** Number of buffered rows that triggers an early write: half of the maximum number of names. */
const EARLY_WRITE_ROWS = 25_000
const MAX_STRATEGIES = 100
/** Maximum number of applications per reporter and hour; further applications are counted under a common name. */
const APPLICATIONS = { windowMs: HOUR_MS, most: 1000, mostOfPublic: 50 }
const OTHER_APPLICATIONS = 'other applications'
const INSTANCES = { windowMs: MINUTE_MS, most: 10_000, mostOfPublic: 100 }
/**
 * Maximum number of unknown flag names per reporter and minute. As in the stored rows, a name counts once per
 * application.
 */
const UNKNOWN_FLAGS = { windowMs: MINUTE_MS, most: 1000, mostOfPublic: 100 }
/** Maximum number of stored rows for all reporters together. */
const MAX_STORED_ROWS = { unknownFlags: 5000, applications: 5000, instances: 20_000 }

/** Data that is currently being written to the database. */
interface BufferedUsage {
  counts: readonly ReportedCount[]
  instances: readonly RegisteredInstance[]
  readonly tokens: ReadonlyMap<string, TokenUse>
  readonly personal: ReadonlyMap<number, Sighting<never>>
  reporting: SeenInstances
}

/**
 * Creates the usage buffer. It writes about once a second: less often if writes are slow, and sooner if much data is
 * buffered. It also writes on close.
 *
 * @param written called with counts after they were written, because no event announces them
 */
export function createUsage(world: World, written: OnWritten = () => {}): Usage {
  return new UsageBuffer(world, written)
}

class UsageBuffer implements Usage {
  readonly #world: World
  readonly #written: OnWritten
  readonly #counts = new UsageCounts()
  #reports = 0
  readonly #applications = new NameWindow(APPLICATIONS)
  readonly #instanceNames = new NameWindow(INSTANCES)
  readonly #unknownFlags = new NameWindow(UNKNOWN_FLAGS)
  readonly #reporting = new ReportingInstances(INSTANCES)
  #instances = new Map<string, RegisteredInstance>()
  readonly #tokens = new Sightings<string, TokenCaller>()
  readonly #personalTokens = new Sightings<number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  /** Number of flushes that are running or queued. */
  #flushes = 0
  /** Number of callers waiting for a write to finish; while above 0, writes do not pause. */
  #urgentCallers = 0
  readonly #pace = new WritePace()
  readonly #lastSeen = new LastSeenCache()
  #isClosed = false
  readonly #outage: OutageLog
  /** True if a table may exceed its maximum number of rows. */
  #mayOverflow = false

  constructor(world: World, written: OnWritten) {
    this.#world = world
    this.#written = written
    this.#outage = new OutageLog({
      begins: (error) => {
        // the database watcher already logs the loss of the database
        if (error instanceof DatabaseGone) return
        world.logger.warn('Usage could not be written; it is kept for the next time', error)
      },
      ends: () => world.logger.info('Usage can be written again'),
    })
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
    // the request schema allows other types of values
    const counted = toggles.filter(([, toggle]) => typeof toggle === 'object' && toggle !== null)
    this.#counts.add({ reporter, appName: application, hour }, counted)
    this.#schedule()
  }

  instance(reporter: Reporter, seen: ReportedInstance): void {
    if (![seen.appName, seen.instanceId, seen.sdkVersion ?? ''].every(isName)) return
    const { environment, isPublic } = reporter
    const key = getInstanceKey({ ...seen, environment })
    if (!this.#instanceNames.admits(reporter, key, this.#world.clock())) return
    if (this.#instances.size >= MAX_INSTANCES && !this.#instances.has(key)) return
    const named = seen.strategies.filter(isName).slice(0, MAX_STRATEGIES)
    // a report with a secret token takes precedence over one with a public token, regardless of order
    const before = this.#instances.get(key)
    // a report contains fewer fields than a registration: keep the earlier values
    const strategies = named.length > 0 ? named : (before?.strategies ?? [])
    const sdkVersion = seen.sdkVersion ?? before?.sdkVersion ?? null
    const address = seen.address ?? before?.address ?? null
    const byPublic = isPublic && before?.isPublic !== false
    const projects = [...new Set([...(before?.projects ?? []), ...reporter.projects])]
    const known = { sdkVersion, address, strategies, environment, projects, isPublic: byPublic }
    this.#instances.set(key, { ...seen, ...known })
    this.#schedule()
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
    const rest: BufferedUsage = {
      counts: this.#counts.take(),
      instances: [...this.#instances.values()],
      tokens: this.#tokens.take(),
      personal: this.#personalTokens.take(),
      reporting: this.#reporting.take(),
    }
    const [counts, instances] = [rest.counts.length, rest.instances.length]
    if (counts + instances + rest.tokens.size + rest.personal.size + rest.reporting.size === 0) return
    this.#instances = new Map()
    let tookMs = 0
    try {
      tookMs = await this.#writeInParts(rest)
      this.#world.debug?.(`Usage is written: ${formatCount(counts, 'count')}, ${formatCount(instances, 'instance')}`)
      this.#outage.succeed()
    } catch (error) {
      this.#outage.fail(error)
      this.#putBack(rest)
      this.#schedule()
      return
    }
    this.#pace.recordWrite(tookMs)
    this.#mayOverflow ||= instances > 0
    if (this.#mayOverflow) await this.#trim()
  }

  /**
   * Writes all parts, and removes the written parts from `rest`. Resolves to the total time of the transactions in
   * milliseconds.
   */
  async #writeInParts(rest: BufferedUsage): Promise<number> {
    const now = this.#world.clock()
    const common = { pace: this.#pace, isUrgent: () => this.#urgentCallers > 0 }
    const countsMs = await writeInParts(rest.counts, {
      ...common,
      write: async (part) => {
        const budgets = { lastSeen: this.#lastSeen, unknownFlags: this.#unknownFlags }
        const { counts, dropped, touched, noted } = await record(this.#world, (tx) =>
          storeCounts(tx, part, now, budgets),
        )
        this.#mayOverflow ||= noted > 0
        this.#counts.drop(dropped)
        this.#lastSeen.record(touched, now)
        this.#written(counts)
      },
      onRemaining: (counts) => Object.assign(rest, { counts }),
    })
    const instancesMs = await writeInParts(rest.instances, {
      ...common,
      write: (part) =>
        record(this.#world, async (tx) => {
          for (const seen of part) await touchInstance(tx, seen, now)
        }),
      onRemaining: (instances) => Object.assign(rest, { instances }),
    })
    const reporting = [...rest.reporting].toSorted(([a], [b]) => compareText(a, b))
    const reportingMs = await writeInParts(reporting, {
      ...common,
      write: (part) => {
        const seen = part.flatMap(([, { at, by }]) => (by === undefined ? [] : [{ ...by, at }]))
        return record(this.#world, (tx) => touchReporting(tx, seen))
      },
      onRemaining: (list) => Object.assign(rest, { reporting: new Map(list) }),
    })
    if (rest.tokens.size + rest.personal.size > 0) {
      await record(this.#world, async (tx) => {
        await touchTokens(tx, rest.tokens)
        await touchPersonalTokens(tx, rest.personal)
      })
    }
    return countsMs + instancesMs + reportingMs
  }

  /** Puts data that could not be written back into the buffer. */
  #putBack({ counts, instances, tokens, personal, reporting }: BufferedUsage): void {
    for (const count of counts) this.#counts.restore(count)
    const before = instances.map((seen) => [getInstanceKey(seen), seen] as const)
    this.#instances = new Map([...before, ...this.#instances])
    this.#tokens.putBack(tokens)
    this.#personalTokens.putBack(personal)
    this.#reporting.putBack(reporting)
  }

  /**
   * Deletes excess rows in a separate transaction: two nodes that delete at the same time may conflict, and that must
   * not make the counts fail.
   */
  async #trim(): Promise<void> {
    try {
      await record(this.#world, (tx) => trimUsage(tx, MAX_STORED_ROWS))
      this.#mayOverflow = false
    } catch (error) {
      this.#world.logger.warn(
        'What SDKs say of themselves could not be trimmed; tried again with the next report',
        error,
      )
    }
  }
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
