import type { PrimaryChannel, WorkerChannel } from '@burgee/kit/workers/messages'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { Origin } from '@burgee/serving/document/origin'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import type { OwnedNames } from '@burgee/serving/usage/name-budget'
import type { MetricsPayload } from '../usage/metrics-bucket.ts'

/**
 * A configuration as sent between processes. The configuration is sent as JSON text, because copying one string costs
 * less than copying many objects.
 */
export interface SentConfiguration {
  readonly text: string
  readonly origin: Origin
  /** Evaluation profile to use. */
  readonly profile: EvaluationProfile
}

/** Message from the primary process of a proxy to its workers. */
export type WorkerUpdate =
  | { readonly kind: 'configuration'; readonly configuration: SentConfiguration }
  /** The upstream has confirmed the current configuration. */
  | { readonly kind: 'confirmed' }
  /** A request to the upstream failed. */
  | { readonly kind: 'failed'; readonly message: string }

/** Counts or impact metrics that a worker asks the primary process to accept. */
export type ProxyQuestion =
  | { readonly kind: 'metrics'; readonly payload: MetricsPayload; readonly owners: readonly OwnedNames[] }
  | { readonly kind: 'impact'; readonly rows: readonly ImpactRow[] }

/** The primary process's end of the link to one worker of a proxy. */
export type ProxyWorkerChannel = WorkerChannel<WorkerUpdate, ProxyQuestion>

/** A worker's end of the link to the primary process. */
export type ProxyPrimaryChannel = PrimaryChannel<WorkerUpdate, ProxyQuestion>
