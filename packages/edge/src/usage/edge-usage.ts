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

/** What SDKs report, gathered and handed on to the upstream by environment. What is not delivered is kept, in bounds. */
export interface EdgeUsage {
  register(token: EdgeToken, application: ReportedApplication): void
  count(token: EdgeToken, appName: string, counts: readonly ReportedCounts[]): void
  /** Delivers what is left; waits so many milliseconds at the longest. */
  close(limitMs: number): Promise<void>
}
