import type { Socket } from 'node:net'
import type { SeriesSnapshot } from '../series/series.ts'

/** State that a worker gets when it starts. */
export interface InitialState<Down> {
  /** Updates that existing workers have already received, in order. */
  readonly news: readonly Down[]
  readonly isGroupReady: boolean
}

/** Message from the primary process to a worker; `Down` is the type of updates in the application. */
export type ToWorker<Down> =
  /** Reply to `hello`, with the initial state. */
  | ({ readonly kind: 'begin' } & InitialState<Down>)
  | { readonly kind: 'news'; readonly news: Down }
  /** Reports whether the whole group is ready. */
  | { readonly kind: 'group'; readonly isReady: boolean }
  /** Reply to the question with the same id. `failure` is set if the question could not be answered. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer?: unknown; readonly failure?: unknown }
  | { readonly kind: 'series-wanted'; readonly id: number }
  /** Reload secrets. */
  | { readonly kind: 'reload' }
  /** Connection that the worker is to handle; the socket is sent with the message. */
  | { readonly kind: 'connection' }
  /** Heartbeat ping. */
  | { readonly kind: 'beat' }
  /** Shutdown is about to begin: every reply must be sent with `Connection: close`. */
  | { readonly kind: 'drain' }
  /** Stop now. */
  | { readonly kind: 'stop' }

/** Message from a worker to the primary process; `Up` is the type of questions in the application. */
export type ToPrimary<Up> =
  /** First message. */
  | { readonly kind: 'hello' }
  /** The worker starts (`open`) or stops (`shut`) accepting connections. */
  | { readonly kind: 'open' }
  | { readonly kind: 'shut' }
  /** Reply to the last connection: the worker has either taken it, or left it untouched for another worker. */
  | { readonly kind: 'connection'; readonly isTaken: boolean }
  /** Heartbeat reply. */
  | { readonly kind: 'beat' }
  /** The worker is ready to answer requests. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Up }
  | { readonly kind: 'series'; readonly id: number; readonly series: readonly SeriesSnapshot[] }
  | { readonly kind: 'series-of-all-wanted'; readonly id: number }

/** One end of the link between the primary process and a worker. Messages arrive complete and in order. */
export interface Channel<Sent, Heard> {
  /**
   * Sends a message; does nothing if the other end no longer exists. A socket that is sent with a message also stays
   * open in this process.
   */
  send(message: Sent, socket?: Socket): void
  /** Adds a listener. A channel can have several listeners. */
  listen(listener: (message: Heard, socket?: Socket) => void): void
}

/** End of the link to one worker, in the primary process. */
export type WorkerChannel<Down, Up> = Channel<ToWorker<Down>, ToPrimary<Up>>

/** End of the link to the primary process, in a worker. */
export type PrimaryChannel<Down, Up> = Channel<ToPrimary<Up>, ToWorker<Down>>

/** Channel whose messages have no application-specific types. */
export interface PlainChannel {
  send(message: { readonly kind: 'connection' } | { readonly kind: 'beat' }, socket?: Socket): void
  listen(listener: (message: ToPrimary<unknown>) => void): void
}
