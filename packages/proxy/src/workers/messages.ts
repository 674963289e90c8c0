import type { Socket } from 'node:net'
import type { SeriesSnapshot } from '@burgee/kit/series/series'
import type { Origin } from '@burgee/serving/document/origin'
import type { MetricsPayload } from '../usage/metrics-bucket.ts'

/** A configuration on its way between processes, as JSON: one text costs less to copy than many objects. */
export interface SentConfiguration {
  readonly text: string
  readonly origin: Origin
}

/** What a worker begins with. */
export interface Beginning {
  /** The configuration in use, where there is one. */
  readonly configuration: SentConfiguration | undefined
  readonly isGroupReady: boolean
}

/** What the primary process tells a worker. */
export type ToWorker =
  /** The answer to `hello`: what there is already. */
  | ({ readonly kind: 'begin' } & Beginning)
  | { readonly kind: 'configuration'; readonly configuration: SentConfiguration }
  /** The upstream says that the configuration in use is its current one. */
  | { readonly kind: 'confirmed' }
  /** An attempt to reach the upstream failed. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Whether all processes together are ready. */
  | { readonly kind: 'group'; readonly isReady: boolean }
  /** The metrics of this number have been taken over. */
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'series-wanted'; readonly id: number }
  /** The series of all processes, as asked for with this number. */
  | { readonly kind: 'series-of-all'; readonly id: number; readonly text: string }
  /** Read the secrets again. */
  | { readonly kind: 'reload' }
  /** A connection to answer, which comes with the message. */
  | { readonly kind: 'connection' }
  /** Are you there? */
  | { readonly kind: 'beat' }
  /** The whole is about to end: every reply is the last of its connection. */
  | { readonly kind: 'drain' }
  /** The end: now. */
  | { readonly kind: 'stop' }

/** What a worker tells the primary process. */
export type ToPrimary =
  /** First words. */
  | { readonly kind: 'hello' }
  /** It takes connections, or takes no more. */
  | { readonly kind: 'open' }
  | { readonly kind: 'shut' }
  /** The last connection is its own now; or it was not touched, and is somebody else's. */
  | { readonly kind: 'connection'; readonly isTaken: boolean }
  /** It is there. */
  | { readonly kind: 'beat' }
  /** It answers from a configuration. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'metrics'; readonly id: number; readonly payload: MetricsPayload }
  | { readonly kind: 'series'; readonly id: number; readonly series: readonly SeriesSnapshot[] }
  | { readonly kind: 'series-of-all-wanted'; readonly id: number }

/** One end of the link between the primary process and a worker; messages come in order and complete. */
export interface Channel<Sent, Heard> {
  /** Does nothing when the other end has gone. A socket that goes along stays open here as well. */
  send(message: Sent, socket?: Socket): void
  /** Several may listen. */
  listen(listener: (message: Heard, socket?: Socket) => void): void
}
