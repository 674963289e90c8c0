import { readImpactMetrics } from '@burgee/protocol/usage/impact-metrics'
import type { CollectionLimits } from '@burgee/serving/impact/impact-bounds'
import type { ImpactSource } from '@burgee/serving/impact/impact-labels'
import { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { type ImpactRow, ImpactSums } from '@burgee/serving/impact/impact-sums'
import { FlagCounts, toTotals } from '@burgee/serving/usage/flag-counts'
import { NameBudget, type OwnedNames, ReservedNames } from '@burgee/serving/usage/name-budget'
import type { ReportedApplication, ReportedCounts, ReportSource, UsageStatus } from './usage-interface.ts'

/** Environment and projects that reports are about, and whose token delivers the reports (a lane). */
export interface Lane {
  readonly environment: string
  readonly projects: readonly string[]
}

/** Row of counts. Source: wire protocol, `POST /api/client/metrics/bulk` */
export interface CountRow {
  readonly featureName: string
  readonly appName: string
  readonly environment: string
  /** Start of the hour, ISO 8601. */
  readonly timestamp: string
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** Application, in the format that is reported to the upstream. */
export interface ApplicationRow extends ReportedApplication {
  readonly environment: string
  /** Time at which the application first registered in this interval, ISO 8601. */
  readonly started: string
  /** Time between reports, in seconds. */
  readonly interval: number
}

/** Registrations and counts for one lane. */
export interface UsagePart {
  readonly applications: readonly ApplicationRow[]
  readonly metrics: readonly CountRow[]
}

/** Limits for names of applications, flags and variants, so that invented names cannot exhaust memory. */
const NAME_LIMITS = { names: 100_000, length: 500, characters: 8 * 1024 * 1024 }
/** Limits for registered applications, whose size is the length of their text form. */
const REGISTRATION_LIMITS = { names: 10_000, length: 8 * 1024, characters: 8 * 1024 * 1024 }
const HOUR_MS = 3_600_000
/** Maximum age of counts. Counts that are older or lie in the future are recorded with the current time. */
const MAX_AGE_MS = 24 * HOUR_MS

interface AppCounts {
  readonly appName: string
  readonly timestamp: string
  readonly counts: FlagCounts
  readonly names: ReservedNames
}

/** Reports collected for one lane, to be delivered with one token. */
interface LaneReports {
  readonly lane: Lane
  readonly apps: Map<string, AppCounts>
  readonly appNames: ReservedNames
  readonly applications: Map<string, ApplicationRow>
  readonly registrations: ReservedNames
  readonly impact: ImpactSums
}

/** Source of rows; `owner` is undefined if the flags exist or the rows were put back after a failed delivery. */
type RowSource = Omit<ReportSource, 'lane'> & { readonly lane: Lane }

/** Settings of a bucket. */
export interface BulkBucketSettings {
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
  /** Time between reports, in milliseconds. */
  readonly intervalMs: number
  readonly impactLimits: CollectionLimits
}

/**
 * Collects counts by environment, application, flag and hour, and collects each registration only once. Reports stay in
 * the bucket until they are taken. Reports beyond the limits are dropped, and the drops are counted.
 */
export class BulkBucket {
  /** Refusals of impact metrics that could not be collected or delivered. */
  readonly refusals = new ImpactRefusals()
  readonly #clock: () => number
  readonly #intervalMs: number
  readonly #impactLimits: CollectionLimits
  readonly #names = new NameBudget(NAME_LIMITS)
  readonly #registrations = new NameBudget(REGISTRATION_LIMITS)
  readonly #lanes = new Map<string, LaneReports>()
  /**
   * Ids of registered applications, shared by all lanes. An application that uses two tokens is therefore registered
   * only once.
   */
  readonly #registered = new Set<string>()
  /** Key of each lane, computed once for each lane object. */
  readonly #keys = new WeakMap<Lane, string>()
  /** Hour of the latest counts, which is usually also the hour of the next ones. */
  #hour = { startMs: Number.NaN, text: '' }

  constructor({ clock, intervalMs, impactLimits }: BulkBucketSettings) {
    this.#clock = clock
    this.#intervalMs = intervalMs
    this.#impactLimits = impactLimits
  }

  /** Number of names and registrations dropped so far. */
  get dropped(): number {
    return this.#names.dropped + this.#registrations.dropped
  }

  /** Numbers of registrations, flags and names that are waiting for delivery. */
  get waiting(): UsageStatus['waiting'] {
    const apps = [...this.#lanes.values()].flatMap((gathered) => [...gathered.apps.values()])
    const flags = apps.reduce((sum, { counts }) => sum + counts.size, 0)
    return { registrations: this.#registered.size, flags, names: this.#names.names }
  }

  /** Number of series of impact metrics that are waiting for delivery. */
  get waitingImpact(): number {
    let rows = 0
    for (const { impact } of this.#lanes.values()) rows += impact.seriesCount
    return rows
  }

  /** Returns the lanes that have reports, keyed as `takeUsage` and `takeImpact` expect. */
  lanes(): ReadonlyMap<string, Lane> {
    return new Map([...this.#lanes].map(([key, { lane }]) => [key, lane]))
  }

  /** Adds counts of an application. */
  count(of: RowSource, appName: string, counts: readonly ReportedCounts[]): void {
    // the counts in a report usually have the same time
    let latest: { readonly at: ReportedCounts['at']; readonly app: AppCounts } | undefined
    for (const one of counts) {
      if (latest === undefined || latest.at !== one.at) {
        const app = this.#appOf(of, appName, this.#hourOf(one.at))
        latest = app === undefined ? undefined : { at: one.at, app }
      }
      latest?.app.counts.add(one.name, one, of.owner)
    }
  }

  /** Adds a registration of an application. */
  register(of: RowSource, application: ReportedApplication): void {
    const started = new Date(this.#clock()).toISOString()
    const { environment } = of.lane
    this.#add(of, { ...application, environment, started, interval: Math.ceil(this.#intervalMs / 1000) })
  }

  /** Adds the `impactMetrics` of a report. Invalid parts are not added but counted as refusals. */
  addImpact({ lane }: Pick<RowSource, 'lane'>, impactMetrics: unknown, origin: ImpactSource): void {
    if (impactMetrics === undefined || impactMetrics === null) return
    const { metrics, refused } = readImpactMetrics(impactMetrics, this.#impactLimits)
    this.refusals.addAll(refused)
    if (metrics.length > 0) this.#gathered(lane).impact.add(metrics, origin)
  }

  /** Adds rows of impact metrics that another process has collected. */
  addImpactRows({ lane }: Pick<RowSource, 'lane'>, rows: readonly ImpactRow[]): void {
    const { impact } = this.#gathered(lane)
    for (const row of rows) impact.addRow(row)
  }

  /** Removes and returns the registrations and counts of a lane. */
  takeUsage(key: string): UsagePart {
    const gathered = this.#lanes.get(key)
    if (gathered === undefined) return { applications: [], metrics: [] }
    const applications = [...gathered.applications.values()]
    for (const id of gathered.applications.keys()) this.#registered.delete(id)
    gathered.applications.clear()
    const { environment } = gathered.lane
    gathered.registrations.release()
    gathered.appNames.release()
    const metrics = [...gathered.apps.values()].flatMap(({ appName, timestamp, counts }) =>
      counts
        .drain()
        .map(([featureName, sums]) => ({ featureName, appName, environment, timestamp, ...toTotals(sums) })),
    )
    for (const { names } of gathered.apps.values()) names.release()
    gathered.apps.clear()
    this.#removeIfEmpty(key)
    return { applications, metrics }
  }

  /** Removes and returns the impact metrics of a lane. */
  takeImpact(key: string): ImpactRow[] {
    const rows = this.#lanes.get(key)?.impact.drain() ?? []
    this.#removeIfEmpty(key)
    return rows
  }

  /** Puts back impact metrics that could not be delivered. */
  restoreImpact(lane: Lane, rows: readonly ImpactRow[]): void {
    if (rows.length > 0) this.#gathered(lane).impact.restore(rows)
  }

  /** Puts back registrations and counts that could not be delivered. */
  restoreUsage(lane: Lane, { applications, metrics }: UsagePart): void {
    const of = { lane, owner: undefined }
    for (const application of applications) this.#add(of, application)
    for (const { featureName, appName, timestamp, yes, no, variants } of metrics) {
      this.#appOf(of, appName, timestamp)?.counts.add(featureName, { yes, no, variants })
    }
  }

  /**
   * Returns the callers that introduced the names and registrations in a part; these are charged to the callers'
   * budgets.
   */
  listOwners({ applications, metrics }: UsagePart): OwnedNames[] {
    const names = metrics.flatMap(({ appName, featureName, variants }) => [
      appName,
      featureName,
      ...Object.keys(variants),
    ])
    return [
      ...this.#names.listOwners([...new Set(names)]),
      ...this.#registrations.listOwners(applications.map(toMeasuredText)),
    ]
  }

  /** Records which callers to charge for names in the next reports that another process hands over. */
  recordOwners(owned: readonly OwnedNames[]): void {
    this.#names.recall(owned)
    this.#registrations.recall(owned)
  }

  /** Counts everything in an undeliverable part as dropped. */
  drop({ applications, metrics }: UsagePart): void {
    this.#names.drop(metrics.length)
    this.#registrations.drop(applications.length)
  }

  #removeIfEmpty(key: string): void {
    const gathered = this.#lanes.get(key)
    if (gathered === undefined) return
    const { apps, applications, impact } = gathered
    if (apps.size + applications.size + impact.size === 0) this.#lanes.delete(key)
  }

  #add({ lane, owner }: RowSource, application: ApplicationRow): void {
    const { appName, instanceId, sdkVersion, environment } = application
    const id = JSON.stringify([environment, appName, instanceId, sdkVersion])
    if (this.#registered.has(id)) return
    const gathered = this.#gathered(lane)
    if (!gathered.registrations.reserve(toMeasuredText(application), owner)) return
    this.#registered.add(id)
    gathered.applications.set(id, application)
  }

  #appOf({ lane, owner }: RowSource, appName: string, timestamp: string): AppCounts | undefined {
    const id = `${timestamp} ${appName}`
    const gathered = this.#gathered(lane)
    const known = gathered.apps.get(id)
    if (known !== undefined || !gathered.appNames.reserve(appName, owner)) return known
    const names = new ReservedNames(this.#names)
    const fresh = { appName, timestamp, counts: new FlagCounts(names), names }
    gathered.apps.set(id, fresh)
    return fresh
  }

  #gathered(lane: Lane): LaneReports {
    const key = this.#toKey(lane)
    const known = this.#lanes.get(key)
    if (known !== undefined) return known
    const fresh: LaneReports = {
      lane,
      apps: new Map(),
      appNames: new ReservedNames(this.#names),
      applications: new Map(),
      registrations: new ReservedNames(this.#registrations),
      impact: new ImpactSums(this.#impactLimits, this.refusals),
    }
    this.#lanes.set(key, fresh)
    return fresh
  }

  #hourOf(at: string | number | undefined): string {
    const now = this.#clock()
    const reportedMs = typeof at === 'string' ? Date.parse(at) : (at ?? Number.NaN)
    const ms = reportedMs <= now && reportedMs > now - MAX_AGE_MS ? reportedMs : now
    const startMs = Math.floor(ms / HOUR_MS) * HOUR_MS
    if (this.#hour.startMs !== startMs) this.#hour = { startMs, text: new Date(startMs).toISOString() }
    return this.#hour.text
  }

  #toKey(lane: Lane): string {
    const known = this.#keys.get(lane)
    if (known !== undefined) return known
    const { environment, projects } = lane
    const key = JSON.stringify([environment, [...projects].sort()])
    this.#keys.set(lane, key)
    return key
  }
}

/**
 * Returns the text form of a registration, whose length counts as its size. The text form stays the same while the
 * registration is stored.
 */
function toMeasuredText({ appName, instanceId = '', sdkVersion = '', strategies }: ApplicationRow): string {
  return [appName, instanceId, sdkVersion, ...strategies].join(' ')
}
