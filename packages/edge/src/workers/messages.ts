import type { PrimaryChannel, WorkerChannel } from '@burgee/kit/workers/messages'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { DocumentRevision } from '@burgee/serving/document/environment-document'
import type { OwnedNames } from '@burgee/serving/usage/name-room'
import type { EnvironmentStanding } from '../environments/environments.ts'
import type { Asker, EdgeToken, RemovalReason } from '../tokens/edge-token.ts'
import type { RefusalReason, UndecidedReason } from '../tokens/token-refusal.ts'
import type { ReportedApplication, ReportedCounts, UsageStanding } from '../usage/edge-usage.ts'

/** The flags of an environment on their way between processes, as JSON: one text costs less to copy than many objects. */
export interface SentEnvironment {
  readonly environment: string
  readonly revision: DocumentRevision
  readonly text: string
}

/** How the primary process stands with the upstream. */
export interface EdgeStandings {
  /** Whether there are flags enough to answer from. */
  readonly isReady: boolean
  readonly environments: readonly EnvironmentStanding[]
  readonly usage: UsageStanding
}

/** What the primary process of an edge tells its workers. */
export type EdgeNews =
  /** Tokens that are good, all of them before anything else is said. */
  | { readonly kind: 'tokens'; readonly tokens: readonly EdgeToken[] }
  | { readonly kind: 'token-removed'; readonly text: string; readonly reason: RemovalReason }
  /** The evaluation profile in use, before any flags. */
  | { readonly kind: 'profile'; readonly profile: EvaluationProfile }
  /** For which environments flags are fetched, and whether that is known for certain. */
  | { readonly kind: 'environments'; readonly names: readonly string[]; readonly isSettled: boolean }
  | ({ readonly kind: 'flags' } & SentEnvironment)
  /** How it stands with the upstream, again and again. */
  | { readonly kind: 'standings'; readonly standings: EdgeStandings }

/** What of a token decides who hears of a report. */
export type ReportLane = Pick<EdgeToken, 'environment' | 'projects'>

/** What an SDK has reported. */
export type EdgeReport =
  | { readonly kind: 'application'; readonly lane: ReportLane; readonly application: ReportedApplication }
  | {
      readonly kind: 'counts'
      readonly lane: ReportLane
      readonly appName: string
      readonly counts: readonly ReportedCounts[]
    }

/** What a worker asks of the primary process. */
export type EdgeQuestion =
  /** Whether a token is good: an `EdgeToken`, or a `TokenFailure`. */
  | { readonly kind: 'admit'; readonly text: string; readonly asker: Asker }
  /** To hand these on to the upstream. */
  | {
      readonly kind: 'reports'
      readonly reports: readonly EdgeReport[]
      readonly owners: readonly OwnedNames[]
    }

/** Why a token is not taken. */
export type TokenFailure =
  | { readonly refused: RefusalReason }
  | { readonly undecided: UndecidedReason; readonly status: number | undefined }

/** The primary process's end of the link to one worker of an edge. */
export type EdgeWorkerChannel = WorkerChannel<EdgeNews, EdgeQuestion>

/** The other end. */
export type EdgePrimaryChannel = PrimaryChannel<EdgeNews, EdgeQuestion>
