import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'

/** What the upstream says of a token that is good. */
export interface ValidatedToken {
  readonly token: string
  readonly type: 'backend' | 'frontend' | 'admin'
  readonly environment: string
  readonly projects: readonly string[]
}

/** Registrations and counts of many applications in one request. Source: wire protocol, `POST /api/client/metrics/bulk`. */
export interface BulkReport {
  readonly applications: readonly Readonly<Record<string, unknown>>[]
  readonly metrics: readonly Readonly<Record<string, unknown>>[]
}

/** The server that a node stands in front of. What fails is an `UpstreamError` with the status, or an Error for the rest. */
export interface EdgeUpstream {
  /** Those of the tokens that are good, and what for: `POST /edge/validate`. */
  validate(tokens: readonly string[]): Promise<readonly ValidatedToken[]>
  /** The flags of a backend token, polled or followed. */
  sourceOf(token: string): ConfigurationSource
  /** Hands a report over, in the name of a backend token: `POST /api/client/metrics/bulk`. */
  report(token: string, report: BulkReport): Promise<void>
  close(): Promise<void>
}
