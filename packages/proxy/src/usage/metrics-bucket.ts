import { splitList } from '@burgee/kit/split-list'
import { readImpactMetrics } from '@burgee/protocol/usage/impact-metrics'
import { type CollectionLimits, DEFAULT_COLLECTION_LIMITS } from '@burgee/serving/impact/impact-bounds'
import { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { type ImpactRow, ImpactSums } from '@burgee/serving/impact/impact-sums'
import { FlagCounts, type FlagTotals, type ToggleCounts, toTotals } from '@burgee/serving/usage/flag-counts'
import {
  createRequestedNamesOwner,
  NameBudget,
  type NameOwner,
  type OwnedNames,
  ReservedNames,
} from '@burgee/serving/usage/name-budget'

/** Counts for a period, in the format that is sent upstream. Times are ISO 8601. */
export interface MetricsPayload {
  readonly start: string
  readonly stop: string
  readonly toggles: Readonly<Record<string, FlagTotals>>
}

/** Maximum number of distinct names (toggles and variants), so that invented names cannot exhaust memory. */
const MAX_NAMES = 50_000
const REQUESTED_NAMES_OWNER = createRequestedNamesOwner('all')
/** Maximum length of a name, in characters. Every name that the server accepts is shorter. */
const MAX_NAME_LENGTH = 500

/** Settings of a bucket. */
export interface BucketSettings {
  /** True to discard all counts, for a bucket that is never emptied. */
  readonly isOff?: boolean
  readonly impactLimits?: CollectionLimits
}

/**
 * Collects counts until they are taken. The cost of adding a count does not depend on the value of the count. Names of
 * built-in properties such as `__proto__` are allowed. Drops counts of new names above the limit and of names that are
 * too long, and records the number of dropped counts.
 */
export class MetricsBucket {
  /** Refusals of impact metrics that could not be collected or delivered. */
  readonly refusals = new ImpactRefusals()
  readonly #clock: () => number
  readonly #isOff: boolean
  readonly #impactLimits: CollectionLimits
  readonly #room = new NameBudget({ names: MAX_NAMES, length: MAX_NAME_LENGTH })
  readonly #names = new ReservedNames(this.#room)
  readonly #counts = new FlagCounts(this.#names)
  readonly #impact: ImpactSums
  #startMs: number

  constructor(clock: () => number, { isOff = false, impactLimits = DEFAULT_COLLECTION_LIMITS }: BucketSettings = {}) {
    this.#clock = clock
    this.#isOff = isOff
    this.#impactLimits = impactLimits
    this.#impact = new ImpactSums(impactLimits, this.refusals)
    this.#startMs = clock()
  }

  /** Number of toggles and variants whose counts were dropped so far. */
  get dropped(): number {
    return this.#room.dropped
  }

  /** Counts one evaluation by the proxy itself. */
  count(name: string, enabled: boolean, isFlag: boolean): void {
    const owner = isFlag ? undefined : REQUESTED_NAMES_OWNER
    this.add(name, { yes: enabled ? 1 : 0, no: enabled ? 0 : 1, variants: {} }, owner)
  }

  /** Adds counts collected by an SDK. A report whose counts are all zero has no effect. */
  add(name: string, counts: ToggleCounts, owner?: NameOwner): void {
    if (!this.#isOff) this.#counts.add(name, counts, owner)
  }

  /** Adds the `impactMetrics` of a report. Never throws; invalid parts are counted as refusals. */
  addImpact(impactMetrics: unknown): void {
    if (this.#isOff || impactMetrics === undefined || impactMetrics === null) return
    const { metrics, refused } = readImpactMetrics(impactMetrics, this.#impactLimits)
    this.refusals.addAll(refused)
    // every key of a proxy is public, so no key's budget is smaller than another's
    this.#impact.add(metrics, { origin: 'proxy', isPublic: false })
  }

  /** Adds impact metrics that another process has collected. */
  addImpactRows(rows: readonly ImpactRow[]): void {
    for (const row of rows) this.#impact.addRow(row)
  }

  /**
   * Removes and returns the impact metrics. Omits metrics that were only announced, without values: every key of a
   * proxy is public, and the receiver could not distinguish such announcements from those of servers.
   */
  takeImpact(): ImpactRow[] {
    return this.#impact.drain().filter(({ values }) => values.length > 0)
  }

  /** Number of series of impact metrics that are waiting for delivery. */
  get waitingImpact(): number {
    return this.#impact.seriesCount
  }

  /** Puts back impact metrics that could not be delivered. */
  restoreImpact(rows: readonly ImpactRow[]): void {
    this.#impact.restore(rows)
  }

  /** Returns all counts since the last call and starts a new period. Returns undefined if there are no counts. */
  take(): MetricsPayload | undefined {
    const stopMs = this.#clock()
    // the clock may have been set back in the meantime
    const start = new Date(Math.min(this.#startMs, stopMs)).toISOString()
    this.#startMs = stopMs
    if (this.#counts.size === 0) return undefined
    const toggles = Object.fromEntries(this.#counts.drain().map(([name, sums]) => [name, toTotals(sums)]))
    this.#names.release()
    return { start, stop: new Date(stopMs).toISOString(), toggles }
  }

  /** Returns the callers to charge for the names in a payload that was taken. */
  listOwners({ toggles }: MetricsPayload): OwnedNames[] {
    return this.#room.listOwners(
      Object.entries(toggles).flatMap(([name, { variants }]) => [name, ...Object.keys(variants)]),
    )
  }

  /**
   * Puts undelivered counts back into the bucket. The period of the bucket then begins at the start of the returned
   * counts.
   *
   * @param owners callers to charge for the names, if the counts come from another process
   */
  restore(payload: MetricsPayload, owners: readonly OwnedNames[] = []): void {
    this.#room.recall(owners)
    this.#startMs = Math.min(this.#startMs, Date.parse(payload.start))
    for (const [name, counts] of Object.entries(payload.toggles)) this.add(name, counts)
  }

  /** Drops counts that the upstream will never accept. */
  drop(payload: MetricsPayload): void {
    this.#room.drop(Object.keys(payload.toggles).length)
  }
}

/** Splits counts into payloads of at most `maxToggles` toggles each. */
export function splitPayload(payload: MetricsPayload, maxToggles: number): MetricsPayload[] {
  const parts = splitList(Object.entries(payload.toggles), maxToggles)
  return parts.map((entries) => ({ ...payload, toggles: Object.fromEntries(entries) }))
}
