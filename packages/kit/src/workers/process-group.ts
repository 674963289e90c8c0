/** Several processes that serve one port and appear as one. */
export interface ProcessGroup {
  readonly isReady: () => boolean
  /** Returns the merged metrics of all processes in the Prometheus text format. */
  readonly seriesText: () => Promise<string>
}
