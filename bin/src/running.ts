/** Something that was started and can be stopped. */
export interface Running {
  /** Ends in-flight work, hands over what must not be lost, and frees ports and files. */
  close(): Promise<void>
  /** Says a line to whoever started it, in the form of its log; nothing where another process does. */
  announce(text: string): void
}

/** Something that was done and is to be told, with an exit code that says more than that it went well. */
export interface Finished {
  readonly code: number
  readonly text: string
}
