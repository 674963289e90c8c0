import { compareText } from '@burgee/kit/compare-text'
import { DatabaseGone } from '../../store/errors.ts'
import { type TokenCaller, type TokenUse, touchTokens } from '../../store/usage/token-callers.ts'
import { type InstanceSeen, touchInstance, touchPersonalTokens, touchReporting } from '../../store/usage/usage.ts'
import { trimUsage } from '../../store/usage/usage-trims.ts'
import { record } from '../execute.ts'
import type { World } from '../world.ts'
import { LastSeen } from './last-seen.ts'
import { NameBudget } from './name-budget.ts'
import { writeInParts } from './part-writer.ts'
import { HOUR_MS, hourOf } from './report-hour.ts'
import { instanceKey, ReportingInstances, type ReportingSeen } from './reporting-instances.ts'
import { type Sighting, Sightings } from './sightings.ts'
import { storeCounts } from './stored-counts.ts'
import type { Written } from './usage-admission.ts'
import { isName, type ReportedCount, type Reporter, type ToggleCounts, UsageCounts } from './usage-counts.ts'
import { WritePace } from './write-pace.ts'

/** Counts of a stretch of time, as SDKs send them. */
export interface Bucket {
  /** Text as SDKs write times, or milliseconds since 1970. */
  readonly start: string | number
  readonly stop: string | number
  readonly toggles: Readonly<Record<string, ToggleCounts>>
}

/** An instance as it says itself what it is. */
export type ReportedInstance = Omit<InstanceSeen, 'environment' | 'projects' | 'isPublic'>

/** Gathers what SDKs report and writes it in batches, so that reports cost no transaction each. */
export interface Usage {
  /**
   * Adds the counts of one application; any name is data like any other. Counts of flags of the reporter's projects are
   * stored, names of no flag are noted as unknown flags. An instance that has said hello is noted as seen, to the minute.
   */
  count(reporter: Reporter, appName: string, bucket: Bucket, instanceId?: string): void
  /** Notes an application's instance. */
  instance(reporter: Reporter, seen: ReportedInstance): void
  /** Notes that a token was used, to the minute, and by whom the first time in it. */
  token(id: string, by?: () => TokenCaller): void
  /** Notes that a person's own token was used, to the minute. */
  personalToken(id: number): void
  /** Reports and dropped names since the start, and names that wait to be written. */
  readonly tally: () => { readonly reports: number; readonly dropped: number; readonly waiting: number }
  /** Writes what was gathered; what cannot be written is kept and tried again. */
  flush(): Promise<void>
  /** Writes the rest and gathers no more. */
  close(): Promise<void>
}

const MINUTE_MS = 60_000
const MOST_INSTANCES = 20_000
/** Half of the names that may wait: more than these do not wait for the end of the pause. */
const MUCH = 25_000
const MOST_STRATEGIES = 100
/** Applications by name and hour; what a reporter counts of further ones goes under the name below. */
const APPLICATIONS = { windowMs: HOUR_MS, most: 1000, mostOfPublic: 50 }
const OTHER_APPLICATIONS = 'other applications'
const INSTANCES = { windowMs: MINUTE_MS, most: 10_000, mostOfPublic: 100 }
/** Names of no flag by application, as rows are: the same name of another application is one more. */
const UNKNOWN_FLAGS = { windowMs: MINUTE_MS, most: 1000, mostOfPublic: 100 }
/** Rows that are kept, whoever brought them. */
const MOST_KEPT = { unknownFlags: 5000, applications: 5000, instances: 20_000 }

/** What is on its way to the database. */
interface Gathered {
  counts: readonly ReportedCount[]
  instances: readonly InstanceSeen[]
  readonly tokens: ReadonlyMap<string, TokenUse>
  readonly personal: ReadonlyMap<number, Sighting<never>>
  reporting: ReportingSeen
}

/**
 * Usage that is written about every second, less often where that takes long, sooner when much is waiting, and at the end.
 *
 * @param written called with counts after they were written, of which there is no event
 */
export function createUsage(world: World, written: Written = () => {}): Usage {
  return new UsageBuffer(world, written)
}

class UsageBuffer implements Usage {
  readonly #world: World
  readonly #written: Written
  readonly #counts = new UsageCounts()
  #reports = 0
  readonly #applications = new NameBudget(APPLICATIONS)
  readonly #instanceNames = new NameBudget(INSTANCES)
  readonly #unknownFlags = new NameBudget(UNKNOWN_FLAGS)
  readonly #reporting = new ReportingInstances(INSTANCES)
  #instances = new Map<string, InstanceSeen>()
  readonly #tokens = new Sightings<string, TokenCaller>()
  readonly #personalTokens = new Sightings<number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  /** How many are under way or waiting for the one before. */
  #flushes = 0
  /** How many wait for the end of a write: then it makes no pauses. */
  #hurried = 0
  readonly #pace = new WritePace()
  readonly #lastSeen = new LastSeen()
  #isClosed = false
  #isFailing = false
  /** Whether a table may have more rows than are to be kept. */
  #mayOverflow = false

  constructor(world: World, written: Written) {
    this.#world = world
    this.#written = written
  }

  count(reporter: Reporter, appName: string, bucket: Bucket, instanceId?: string): void {
    const toggles = Object.entries(bucket.toggles)
    if (!isName(appName)) {
      this.#counts.drop(toggles.length)
      return
    }
    this.#reports += 1
    const now = this.#world.clock()
    if (instanceId !== undefined) this.#reporting.note(reporter, { appName, instanceId }, now)
    const hour = hourOf(bucket.stop, now)
    const application = this.#applications.admits(reporter, appName, now) ? appName : OTHER_APPLICATIONS
    // a schema that is open may let other values through
    const counted = toggles.filter(([, toggle]) => typeof toggle === 'object' && toggle !== null)
    this.#counts.add({ reporter, appName: application, hour }, counted)
    this.#schedule()
  }

  instance(reporter: Reporter, seen: ReportedInstance): void {
    if (![seen.appName, seen.instanceId, seen.sdkVersion ?? ''].every(isName)) return
    const { environment, isPublic } = reporter
    const key = instanceKey({ ...seen, environment })
    if (!this.#instanceNames.admits(reporter, key, this.#world.clock())) return
    if (this.#instances.size >= MOST_INSTANCES && !this.#instances.has(key)) return
    const named = seen.strategies.filter(isName).slice(0, MOST_STRATEGIES)
    // one who holds a secret token is believed over one who does not, in whichever order they come
    const before = this.#instances.get(key)
    // a report says less than a registration
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
    if (this.#tokens.note(id, this.#world.clock(), by)) this.#schedule()
  }

  personalToken(id: number): void {
    if (this.#personalTokens.note(id, this.#world.clock())) this.#schedule()
  }

  readonly tally = () => ({ reports: this.#reports, dropped: this.#counts.dropped, waiting: this.#counts.waiting })

  flush(): Promise<void> {
    this.#hurried += 1
    return this.#flush().finally(() => {
      this.#hurried -= 1
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
        if (this.#gathered > 0) this.#schedule()
      })
    return this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  get #gathered(): number {
    return this.#counts.rows + this.#instances.size
  }

  #schedule(): void {
    if (this.#isClosed) return
    // what is under way comes first, and what has failed is not tried again at once
    const mayBeNow = this.#flushes === 0 && !this.#isFailing
    if (mayBeNow && this.#gathered >= MUCH) void this.#flush()
    else this.#timer ??= setTimeout(() => void this.#flush(), this.#pace.pauseMs).unref()
  }

  async #write(): Promise<void> {
    const rest: Gathered = {
      ...{ counts: this.#counts.take(), instances: [...this.#instances.values()] },
      ...{ tokens: this.#tokens.take(), personal: this.#personalTokens.take() },
      reporting: this.#reporting.take(),
    }
    const [counts, instances] = [rest.counts.length, rest.instances.length]
    if (counts + instances + rest.tokens.size + rest.personal.size + rest.reporting.size === 0) return
    this.#instances = new Map()
    let tookMs = 0
    try {
      tookMs = await this.#writeInParts(rest)
      this.#world.debug?.(`Usage is written: ${several(counts, 'count')}, ${several(instances, 'instance')}`)
      if (this.#isFailing) this.#world.logger.info('Usage can be written again')
      this.#isFailing = false
    } catch (error) {
      // that the database is gone is said by whoever watches it
      const isSaid = this.#isFailing || error instanceof DatabaseGone
      if (!isSaid) this.#world.logger.warn('Usage could not be written; it is kept for the next time', error)
      this.#isFailing = true
      this.#keep(rest)
      this.#schedule()
      return
    }
    this.#pace.wrote(tookMs)
    this.#mayOverflow ||= instances > 0
    if (this.#mayOverflow) await this.#trim()
  }

  /** What is written leaves `rest`. Answers how long the transactions took, in milliseconds. */
  async #writeInParts(rest: Gathered): Promise<number> {
    const now = this.#world.clock()
    const common = { pace: this.#pace, isHurried: () => this.#hurried > 0 }
    const countsMs = await writeInParts(rest.counts, {
      ...common,
      write: async (part) => {
        const budgets = { lastSeen: this.#lastSeen, unknownFlags: this.#unknownFlags }
        const { counts, dropped, touched, noted } = await record(this.#world, (tx) =>
          storeCounts(tx, part, now, budgets),
        )
        this.#mayOverflow ||= noted > 0
        this.#counts.drop(dropped)
        this.#lastSeen.note(touched, now)
        this.#written(counts)
      },
      left: (counts) => Object.assign(rest, { counts }),
    })
    const instancesMs = await writeInParts(rest.instances, {
      ...common,
      write: (part) =>
        record(this.#world, async (tx) => {
          for (const seen of part) await touchInstance(tx, seen, now)
        }),
      left: (instances) => Object.assign(rest, { instances }),
    })
    const reporting = [...rest.reporting].toSorted(([a], [b]) => compareText(a, b))
    const reportingMs = await writeInParts(reporting, {
      ...common,
      write: (part) => {
        const seen = part.flatMap(([, { at, by }]) => (by === undefined ? [] : [{ ...by, at }]))
        return record(this.#world, (tx) => touchReporting(tx, seen))
      },
      left: (list) => Object.assign(rest, { reporting: new Map(list) }),
    })
    if (rest.tokens.size + rest.personal.size > 0) {
      await record(this.#world, async (tx) => {
        await touchTokens(tx, rest.tokens)
        await touchPersonalTokens(tx, rest.personal)
      })
    }
    return countsMs + instancesMs + reportingMs
  }

  /** For the next time. */
  #keep({ counts, instances, tokens, personal, reporting }: Gathered): void {
    for (const count of counts) this.#counts.restore(count)
    const before = instances.map((seen) => [instanceKey(seen), seen] as const)
    this.#instances = new Map([...before, ...this.#instances])
    this.#tokens.keep(tokens)
    this.#personalTokens.keep(personal)
    this.#reporting.keep(reporting)
  }

  /** In a transaction of its own: two nodes that trim at once may stand in each other's way, and counts must not. */
  async #trim(): Promise<void> {
    try {
      await record(this.#world, (tx) => trimUsage(tx, MOST_KEPT))
      this.#mayOverflow = false
    } catch (error) {
      this.#world.logger.warn(
        'What SDKs say of themselves could not be trimmed; tried again with the next report',
        error,
      )
    }
  }
}

function several(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
