import type { NameOwner, OwnedNames } from '@burgee/serving/usage/name-room'
import type { EdgeToken } from '../tokens/edge-token.ts'

/** Counts of flags over a stretch of time, as SDKs send them; `name` is that of a flag. */
export interface ReportedCounts {
  readonly name: string
  /** ISO 8601, or milliseconds since 1970. */
  readonly at: string | number | undefined
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** An application that says that it is there. */
export interface ReportedApplication {
  readonly appName: string
  readonly instanceId: string | undefined
  readonly sdkVersion: string | undefined
  readonly strategies: readonly string[]
}

/** How the delivery of usage goes. */
export interface UsageStanding {
  /** When something was last delivered, in milliseconds since 1970; undefined before. */
  readonly deliveredAtMs: number | undefined
  /** Applications that count, flags that they have counted and names that are kept for it, of what is not delivered yet. */
  readonly waiting: { readonly registrations: number; readonly flags: number; readonly names: number }
  /** Names whose counts, and registrations, that were dropped since the start. */
  readonly dropped: number
  /** Requests that failed since the start. */
  readonly failures: number
}

/** Whose report it is. */
export interface ReportSource {
  readonly lane: Pick<EdgeToken, 'environment' | 'projects'>
  /** Undefined for evaluations of flags that exist, and for reports of another process. */
  readonly owner: NameOwner | undefined
}

/** What SDKs report, gathered and handed on to the upstream by environment. What is not delivered is kept, in bounds. */
export interface EdgeUsage {
  /** Only of a token that is good: its environment and projects decide who hears of it. */
  register(of: ReportSource, application: ReportedApplication): void
  count(of: ReportSource, appName: string, counts: readonly ReportedCounts[]): void
  standing(): UsageStanding
  /** Delivers what is left; waits so many milliseconds at the longest. */
  close(limitMs: number): Promise<void>
}

/** Usage that other processes hand over as well. */
export interface SharedUsage extends EdgeUsage {
  /** Notes who brought the names of reports that follow. */
  recall(owned: readonly OwnedNames[]): void
}
