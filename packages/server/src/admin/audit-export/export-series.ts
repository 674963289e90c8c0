import type { Counter, SeriesRegistry } from '@burgee/kit/series/series'

/** Metrics of the export of events. */
export interface AuditExportSeries {
  /** Counter of events that the receiver has taken. */
  readonly events: Counter
  /** Counter of batches that failed; each is sent again. */
  readonly failures: Counter
  /** Sets the distance to the newest event, measured in event ids; undefined on a node that does not send. */
  setWaiting(count: number | undefined): void
}

/** Adds the metrics of the export of events. */
export function createAuditExportSeries(registry: SeriesRegistry): AuditExportSeries {
  let backlog: number | undefined
  registry.gauge(
    'burgee_audit_export_waiting',
    'Events that AUDIT_EXPORT_URL has not taken yet, as of the last pass. Missing on nodes that do not send.',
    () => backlog,
  )
  return {
    events: registry.counterFromZero('burgee_audit_export_events_total', 'Events that AUDIT_EXPORT_URL has taken.', [
      {},
    ]),
    failures: registry.counterFromZero(
      'burgee_audit_export_failures_total',
      'Batches of events that AUDIT_EXPORT_URL did not take. They are sent again.',
      [{}],
    ),
    setWaiting(count) {
      backlog = count
    },
  }
}
