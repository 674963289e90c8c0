import type { PrimaryChannel, WorkerChannel } from '@burgee/kit/workers/messages'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { LocalHolding } from '@burgee/serving/connections/holdings'
import type { DocumentRevision } from '@burgee/serving/document/environment-document'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import type { OwnedNames } from '@burgee/serving/usage/name-budget'
import type { EnvironmentStatus } from '../environments/environments.ts'
import type { EdgeToken, RemovalReason, TokenRequester } from '../tokens/edge-token.ts'
import type { RefusalReason, UndecidedReason } from '../tokens/token-refusal.ts'
import type { DownstreamReport } from '../usage/downstream-holdings.ts'
import type { ReportedApplication, ReportedCounts, UsageStatus } from '../usage/usage-interface.ts'

/**
 * Flags of an environment as sent between processes. The flags are JSON text, because copying one string costs less
 * than copying many objects.
 */
export interface SentEnvironment {
  readonly environment: string
  readonly revision: DocumentRevision
  readonly text: string
}

/** Status of the primary process's connection to the upstream. */
export interface PrimaryStatus {
  /** True if there are enough flags to answer requests. */
  readonly isReady: boolean
  readonly environments: readonly EnvironmentStatus[]
  readonly usage: UsageStatus
}

/** Message from the primary process of an edge to its workers. */
export type WorkerUpdate =
  /** Update of the valid tokens; the first update contains all of them. */
  | { readonly kind: 'tokens'; readonly tokens: readonly EdgeToken[] }
  | { readonly kind: 'token-removed'; readonly text: string; readonly reason: RemovalReason }
  /** Evaluation profile in use; sent before any flags. */
  | { readonly kind: 'profile'; readonly profile: EvaluationProfile }
  /** Environments for which flags are fetched; `isSettled` is true if the list is final. */
  | { readonly kind: 'environments'; readonly names: readonly string[]; readonly isSettled: boolean }
  | ({ readonly kind: 'flags' } & SentEnvironment)
  /** Status of the connection to the upstream, sent periodically. */
  | { readonly kind: 'standings'; readonly status: PrimaryStatus }

/** Environment and projects of a token. They determine which token delivers a report. */
export type ReportLane = Pick<EdgeToken, 'environment' | 'projects'>

/** Report of an SDK. */
export type EdgeReport =
  | { readonly kind: 'application'; readonly lane: ReportLane; readonly application: ReportedApplication }
  | {
      readonly kind: 'counts'
      readonly lane: ReportLane
      readonly appName: string
      readonly counts: readonly ReportedCounts[]
    }
  | { readonly kind: 'impact'; readonly lane: ReportLane; readonly rows: readonly ImpactRow[] }

/** Request from a worker to the primary process. */
export type WorkerRequest =
  /** Validates a token; the reply is an `EdgeToken` or a `TokenFailure`. */
  | { readonly kind: 'admit'; readonly text: string; readonly asker: TokenRequester }
  /** Hands over reports for delivery to the upstream. */
  | {
      readonly kind: 'reports'
      readonly reports: readonly EdgeReport[]
      readonly owners: readonly OwnedNames[]
    }
  /** Revisions that the connections of a worker currently have; they replace the rows that the worker sent before. */
  | { readonly kind: 'holdings'; readonly worker: string; readonly rows: readonly LocalHolding[] }
  /** Report of an edge behind this edge, whose next report may reach another worker. */
  | { readonly kind: 'downstream'; readonly report: DownstreamReport }

/** Reason why a token was not accepted. */
export type TokenFailure =
  | { readonly refused: RefusalReason }
  | { readonly undecided: UndecidedReason; readonly status: number | undefined }

/** The primary process's end of the link to one worker of an edge. */
export type EdgeWorkerChannel = WorkerChannel<WorkerUpdate, WorkerRequest>

/** A worker's end of the link to the primary process. */
export type EdgePrimaryChannel = PrimaryChannel<WorkerUpdate, WorkerRequest>
