/** Something that was started and can be stopped. */
export interface Running {
  /** Ends in-flight work, hands over what must not be lost, and frees ports and files. */
  close(): Promise<void>
}
