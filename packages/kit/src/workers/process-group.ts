/** Several processes that serve the same port and behave like one process. */
export interface ProcessGroup {
  readonly isReady: () => boolean
  /** Returns the merged metrics of all processes in the Prometheus text format. */
  readonly seriesText: () => Promise<string>
}
