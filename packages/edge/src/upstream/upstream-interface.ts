import type { Holding } from '@burgee/protocol/administration/delivery-receipt'
import type { WireMetric } from '@burgee/serving/impact/impact-wire'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'

/** The upstream's result for a valid token. */
export interface ValidatedToken {
  readonly token: string
  /** `other` means that this version does not know the type, or that the result is malformed. */
  readonly type: 'backend' | 'frontend' | 'admin' | 'other'
  /** Environment; `*` for tokens without a single environment. */
  readonly environment: string
  readonly projects: readonly string[]
}

/**
 * Registrations and counts of many applications in one request. Source: wire protocol, `POST /api/client/metrics/bulk`.
 */
export interface BulkReport {
  readonly applications: readonly Readonly<Record<string, unknown>>[]
  readonly metrics: readonly Readonly<Record<string, unknown>>[]
  /** Impact metrics; omitted if there are none. A report with impact metrics contains nothing else. */
  readonly impactMetrics?: readonly WireMetric[]
  /**
   * Revisions that the connections of this node currently have (holdings). A report with holdings contains nothing
   * else.
   */
  readonly holdings?: readonly Holding[]
}

/**
 * Thrown if only a part of a report was delivered. `rest` is the undelivered part, and `cause` is the error that
 * stopped the delivery.
 */
export class PartlyReported extends Error {
  readonly rest: BulkReport
  constructor(rest: BulkReport, options: ErrorOptions) {
    super('The upstream accepted only part of the report', options)
    this.name = 'PartlyReported'
    this.rest = rest
  }
}

/** Thrown if the upstream cannot store impact metrics because it has no bulk endpoint. */
export class ImpactUnsupported extends Error {
  constructor() {
    super('The upstream does not accept impact metrics')
    this.name = 'ImpactUnsupported'
  }
}

/**
 * Server that a node fetches from and reports to. Methods reject with an `UpstreamError` if the reply has an unexpected
 * status, and with another Error in all other cases.
 */
export interface EdgeUpstream {
  /**
   * Validates tokens and returns the valid tokens with their scopes (`POST /edge/validate`). Accepts at most 100
   * tokens. Rejects if the reply is not a list of valid tokens.
   */
  validate(tokens: readonly string[]): Promise<readonly ValidatedToken[]>
  /** Returns the source of a backend token's flags, polled or streamed. */
  createSource(token: string): ConfigurationSource
  /**
   * Sends a report with a backend token: `POST /api/client/metrics/bulk`, or one request per application if the
   * upstream has no such endpoint. Rejects with `PartlyReported` if only a part of the report has arrived, and with
   * `ImpactUnsupported` if the report contains impact metrics and the upstream has no bulk endpoint.
   */
  report(token: string, report: BulkReport): Promise<void>
  close(): Promise<void>
}
