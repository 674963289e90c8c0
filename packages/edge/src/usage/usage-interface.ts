import type { ImpactSource } from '@burgee/serving/impact/impact-labels'
import type { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import type { NameOwner, OwnedNames } from '@burgee/serving/usage/name-budget'
import type { EdgeToken } from '../tokens/edge-token.ts'

/** Counts of a flag over a period, as SDKs send them; `name` is the flag's name. */
export interface ReportedCounts {
  readonly name: string
  /** ISO 8601, or milliseconds since 1970. */
  readonly at: string | number | undefined
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** Registration of an application. */
export interface ReportedApplication {
  readonly appName: string
  readonly instanceId: string | undefined
  readonly sdkVersion: string | undefined
  readonly strategies: readonly string[]
}

/** Status of the delivery of usage. */
export interface UsageStatus {
  /** Time of the last delivery, in milliseconds since 1970; undefined before the first delivery. */
  readonly deliveredAtMs: number | undefined
  /**
   * Number of undelivered registrations, number of flags with undelivered counts, and number of names in these counts.
   */
  readonly waiting: { readonly registrations: number; readonly flags: number; readonly names: number }
  /** Number of dropped names and registrations since the start. */
  readonly dropped: number
  /** Number of failed requests since the start. */
  readonly failures: number
}

/** Source of a report: its lane (environment and projects), and the caller to charge for the names in it. */
export interface ReportSource {
  readonly lane: Pick<EdgeToken, 'environment' | 'projects'>
  /**
   * Caller whose budget is charged for the names. Undefined for evaluations of existing flags, and for reports that
   * another process hands over.
   */
  readonly owner: NameOwner | undefined
}

/**
 * Collects reports of SDKs and delivers them to the upstream by environment. Undelivered reports are retained up to a
 * limit.
 */
export interface EdgeUsage {
  /**
   * Adds a registration. Call this for valid tokens only, because environment and projects determine the token that
   * delivers the registration.
   */
  register(of: ReportSource, application: ReportedApplication): void
  count(of: ReportSource, appName: string, counts: readonly ReportedCounts[]): void
  /** Adds the `impactMetrics` of a report. Never throws; invalid parts are counted as refusals. */
  addImpact(of: ReportSource, impactMetrics: unknown, source: ImpactSource): void
  getStatus(): UsageStatus
  /** Delivers the remaining reports, waiting at most `limitMs`. */
  close(limitMs: number): Promise<void>
}

/** Usage collection that also accepts reports from other processes. */
export interface SharedUsage extends EdgeUsage {
  /** Records which callers to charge for the names in the reports that follow. */
  recordOwners(owned: readonly OwnedNames[]): void
  /** Refusals of impact metrics by this process. */
  readonly refusals: ImpactRefusals
  /** Adds impact metrics that another process has collected. */
  addImpactRows(of: ReportSource, rows: readonly ImpactRow[]): void
}
