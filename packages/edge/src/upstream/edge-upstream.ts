import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'

/** What the upstream says of a token that is good. */
export interface ValidatedToken {
  readonly token: string
  /** `other` is one that this version does not know. */
  readonly type: 'backend' | 'frontend' | 'admin' | 'other'
  /** `*` for tokens of no single one. */
  readonly environment: string
  readonly projects: readonly string[]
}

/** Registrations and counts of many applications in one request. Source: wire protocol, `POST /api/client/metrics/bulk`. */
export interface BulkReport {
  readonly applications: readonly Readonly<Record<string, unknown>>[]
  readonly metrics: readonly Readonly<Record<string, unknown>>[]
}

/** A report of which a part has arrived; what is left has not, for the reason in `cause`. */
export class PartlyReported extends Error {
  readonly rest: BulkReport
  constructor(rest: BulkReport, options: ErrorOptions) {
    super('The upstream took a part of the report', options)
    this.name = 'PartlyReported'
    this.rest = rest
  }
}

/** The server that a node stands in front of. What fails is an `UpstreamError` with the status, or an Error for the rest. */
export interface EdgeUpstream {
  /**
   * Those of the tokens that are good, and what for: `POST /edge/validate`. At most 100 at a time. Rejects where the answer
   * is anything but that.
   */
  validate(tokens: readonly string[]): Promise<readonly ValidatedToken[]>
  /** The flags of a backend token, polled or followed. */
  sourceOf(token: string): ConfigurationSource
  /**
   * Hands a report over, in the name of a backend token: `POST /api/client/metrics/bulk`, or one by one where the upstream
   * has no such endpoint. Rejects with `PartlyReported` where only a part has arrived.
   */
  report(token: string, report: BulkReport): Promise<void>
  close(): Promise<void>
}
