/** Several processes that answer at one port and look like one from outside. */
export interface ProcessGroup {
  readonly isReady: () => boolean
  /** The series of all of them, as Prometheus reads them. */
  readonly seriesText: () => Promise<string>
}
