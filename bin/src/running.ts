import type { ShutdownTimes } from '@burgee/kit/shutdown-times'
import type { ServerDeps } from '@burgee/server'

/** Something that was started and can be stopped. */
export interface Running {
  /** How long it may take to end. */
  readonly times: ShutdownTimes
  /** Resolves when it is to end at once, asked by somebody else than a signal; never where nobody else asks. */
  readonly dismissed?: Promise<void>
  /** Says that it is no longer ready, and goes on answering. */
  drain(): void
  /** Ends in-flight work, hands over what must not be lost, and frees ports and files. */
  close(): Promise<void>
  /** Says a line to whoever started it, in the form of its log; nothing where another process does. */
  announce(text: string): void
}

/** What tests put in the place of what the command takes by itself. */
export type Injected = Pick<ServerDeps, 'passwordCost'>

/** Something that was done and is to be told, with an exit code that says more than that it went well. */
export interface Finished {
  readonly code: number
  readonly text: string
}
