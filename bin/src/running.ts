import type { ShutdownTimes } from '@burgee/kit/shutdown-times'
import type { ServerDeps } from '@burgee/server'

/** A service that can be stopped. */
export interface RunningService {
  /** Maximum duration of each phase of the service's shutdown. */
  readonly times: ShutdownTimes
  /**
   * Resolves if the service must stop at once for a reason other than a signal. Undefined if the service has no such
   * reason.
   */
  readonly dismissed?: Promise<void>
  /** Makes the service report that it is not ready, while it continues to answer. */
  drain(): void
  /** Finishes work in flight, flushes data that must not be lost, and closes ports and files. */
  close(): Promise<void>
  /**
   * Writes a line to standard output in the log's format. Does nothing in a worker, because the primary process writes
   * the line.
   */
  announce(text: string): void
}

/** Dependencies that tests replace. */
export type InjectedDeps = Pick<ServerDeps, 'passwordCost'>

/** Result of a finished command, with an exit code. */
export interface CommandOutput {
  readonly code: number
  readonly text: string
}
