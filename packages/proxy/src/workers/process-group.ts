/** Several processes that answer at one port: for the outside they are one. */
export interface ProcessGroup {
  readonly isReady: () => boolean
  /** The series of all of them, as Prometheus reads them. */
  readonly seriesText: () => Promise<string>
}
