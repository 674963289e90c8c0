import type { Socket } from 'node:net'
import type { SeriesSnapshot } from '../series/series.ts'

/** Initial state of a worker. */
export interface InitialState<Down> {
  /** Updates that earlier workers have received, in order. */
  readonly news: readonly Down[]
  readonly isGroupReady: boolean
}

/** Message from the primary process to a worker; `Down` is the application's type of updates. */
export type ToWorker<Down> =
  /** Reply to `hello`: the initial state. */
  | ({ readonly kind: 'begin' } & InitialState<Down>)
  | { readonly kind: 'news'; readonly news: Down }
  /** Readiness of the whole group. */
  | { readonly kind: 'group'; readonly isReady: boolean }
  /** Reply to the question with this id. `failure` is set if the question could not be answered. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer?: unknown; readonly failure?: unknown }
  | { readonly kind: 'series-wanted'; readonly id: number }
  /** Reload secrets. */
  | { readonly kind: 'reload' }
  /** A connection to handle, sent with the message. */
  | { readonly kind: 'connection' }
  /** Heartbeat ping. */
  | { readonly kind: 'beat' }
  /** Shutdown is imminent: send every reply with `Connection: close`. */
  | { readonly kind: 'drain' }
  /** Stop now. */
  | { readonly kind: 'stop' }

/** Message from a worker to the primary process; `Up` is the application's type of questions. */
export type ToPrimary<Up> =
  /** First message. */
  | { readonly kind: 'hello' }
  /** The worker starts (`open`) or stops (`shut`) accepting connections. */
  | { readonly kind: 'open' }
  | { readonly kind: 'shut' }
  /**
   * Response to the last connection: the worker has taken the connection, or has left it untouched for another worker.
   */
  | { readonly kind: 'connection'; readonly isTaken: boolean }
  /** Heartbeat reply. */
  | { readonly kind: 'beat' }
  /** The worker can answer requests. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Up }
  | { readonly kind: 'series'; readonly id: number; readonly series: readonly SeriesSnapshot[] }
  | { readonly kind: 'series-of-all-wanted'; readonly id: number }

/** One end of the link between the primary process and a worker. Messages arrive complete and in order. */
export interface Channel<Sent, Heard> {
  /**
   * Sends a message; does nothing if the other end is gone. A socket that is sent with the message stays open in this
   * process as well.
   */
  send(message: Sent, socket?: Socket): void
  /** Adds a listener. A channel can have several listeners. */
  listen(listener: (message: Heard, socket?: Socket) => void): void
}

/** The primary process's end of the link to one worker. */
export type WorkerChannel<Down, Up> = Channel<ToWorker<Down>, ToPrimary<Up>>

/** A worker's end of the link to the primary process. */
export type PrimaryChannel<Down, Up> = Channel<ToPrimary<Up>, ToWorker<Down>>

/** A channel without application-specific types. */
export interface PlainChannel {
  send(message: { readonly kind: 'connection' } | { readonly kind: 'beat' }, socket?: Socket): void
  listen(listener: (message: ToPrimary<unknown>) => void): void
}
