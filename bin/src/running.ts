import type { ShutdownTimes } from '@burgee/kit/shutdown-times'
import type { ServerDeps } from '@burgee/server'

/** A service that can be stopped. */
export interface RunningService {
  /** Durations of its shutdown. */
  readonly times: ShutdownTimes
  /** Resolves when it must stop at once for a reason other than a signal; absent if there is none. */
  readonly dismissed?: Promise<void>
  /** Reports not ready; continues to answer. */
  drain(): void
  /** Finishes work in flight, flushes data that must not be lost, and closes ports and files. */
  close(): Promise<void>
  /** Writes a line in the log's format; does nothing in workers, where another process does. */
  announce(text: string): void
}

/** Dependencies that tests replace. */
export type InjectedDeps = Pick<ServerDeps, 'passwordCost'>

/** Result of a finished command, with an exit code. */
export interface CommandOutput {
  readonly code: number
  readonly text: string
}
