import type { PrimaryChannel, WorkerChannel } from '@burgee/kit/workers/messages'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { Origin } from '@burgee/serving/document/origin'
import type { OwnedNames } from '@burgee/serving/usage/name-room'
import type { MetricsPayload } from '../usage/metrics-bucket.ts'

/** A configuration on its way between processes, as JSON: one text costs less to copy than many objects. */
export interface SentConfiguration {
  readonly text: string
  readonly origin: Origin
  /** The evaluation profile to decide by. */
  readonly profile: EvaluationProfile
}

/** What the primary process of a proxy tells its workers. */
export type ProxyNews =
  | { readonly kind: 'configuration'; readonly configuration: SentConfiguration }
  /** The upstream says that the configuration in use is its current one. */
  | { readonly kind: 'confirmed' }
  /** An attempt to reach the upstream failed. */
  | { readonly kind: 'failed'; readonly message: string }

/** What a worker asks of the primary process: to take over these counts. */
export interface ProxyQuestion {
  readonly kind: 'metrics'
  readonly payload: MetricsPayload
  readonly owners: readonly OwnedNames[]
}

/** The primary process's end of the link to one worker of a proxy. */
export type ProxyWorkerChannel = WorkerChannel<ProxyNews, ProxyQuestion>

/** The other end. */
export type ProxyPrimaryChannel = PrimaryChannel<ProxyNews, ProxyQuestion>
