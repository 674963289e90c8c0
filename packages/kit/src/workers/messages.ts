import type { Socket } from 'node:net'
import type { SeriesSnapshot } from '../series/series.ts'

/** What a worker begins with. */
export interface Beginning<Down> {
  /** What the primary process would have told it before, in order. */
  readonly news: readonly Down[]
  readonly isGroupReady: boolean
}

/** What the primary process tells a worker; `Down` is what their work is about. */
export type ToWorker<Down> =
  /** The answer to `hello`: what there is already. */
  | ({ readonly kind: 'begin' } & Beginning<Down>)
  | { readonly kind: 'news'; readonly news: Down }
  /** Whether all processes together are ready. */
  | { readonly kind: 'group'; readonly isReady: boolean }
  /** To the question of this number; `failure` says why there is none. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer?: unknown; readonly failure?: unknown }
  | { readonly kind: 'series-wanted'; readonly id: number }
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

/** What a worker tells the primary process; `Up` is what their work is about. */
export type ToPrimary<Up> =
  /** First words. */
  | { readonly kind: 'hello' }
  /** It takes connections, or takes no more. */
  | { readonly kind: 'open' }
  | { readonly kind: 'shut' }
  /** The last connection is its own now; or it was not touched, and is somebody else's. */
  | { readonly kind: 'connection'; readonly isTaken: boolean }
  /** It is there. */
  | { readonly kind: 'beat' }
  /** It has what it needs to answer. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Up }
  | { readonly kind: 'series'; readonly id: number; readonly series: readonly SeriesSnapshot[] }
  | { readonly kind: 'series-of-all-wanted'; readonly id: number }

/** One end of the link between the primary process and a worker; messages come in order and complete. */
export interface Channel<Sent, Heard> {
  /** Does nothing when the other end has gone. A socket that goes along stays open here as well. */
  send(message: Sent, socket?: Socket): void
  /** Several may listen. */
  listen(listener: (message: Heard, socket?: Socket) => void): void
}

/** The primary process's end of the link to one worker. */
export type WorkerChannel<Down, Up> = Channel<ToWorker<Down>, ToPrimary<Up>>

/** A worker's end of the link to the primary process. */
export type PrimaryChannel<Down, Up> = Channel<ToPrimary<Up>, ToWorker<Down>>

/** A channel as far as what the work is about does not matter. */
export interface PlainChannel {
  send(message: { readonly kind: 'connection' } | { readonly kind: 'beat' }, socket?: Socket): void
  listen(listener: (message: ToPrimary<unknown>) => void): void
}
