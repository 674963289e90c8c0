import type { Counter, Histogram, SeriesRegistry } from '@burgee/kit/series/series'
import { PROVIDERS } from './providers.ts'

/** Metrics of deliveries. */
export interface DeliverySeries {
  /** Counter of deliveries by `provider` and `result`: success, failure, retry, dropped. */
  readonly deliveries: Counter
  /** Histogram of the duration of attempts in seconds, by `provider`. */
  readonly durations: Histogram
}

/** Adds a gauge for the number of queued deliveries, as last counted. */
export function watchQueuedDeliveries(
  registry: SeriesRegistry,
  read: () => ReadonlyMap<string, number> | undefined,
): void {
  registry.gauges(
    'burgee_integration_deliveries_waiting',
    'Queued deliveries to integrations, including deliveries that wait for a retry, by provider; as of the last minute.',
    () => [...(read() ?? [])].map(([provider, count]) => [{ provider }, count] as const),
  )
}

const RESULTS = ['success', 'failure', 'retry', 'dropped']
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Adds the metrics about deliveries. */
export function createDeliverySeries(registry: SeriesRegistry): DeliverySeries {
  return {
    deliveries: registry.counterFromZero(
      'burgee_integration_deliveries_total',
      'Delivery attempts to integrations, by provider and result: success, failure (no further retry), retry, dropped.',
      PROVIDERS.flatMap(({ name }) => RESULTS.map((result) => ({ provider: name, result }))),
    ),
    durations: registry.histogram(
      'burgee_integration_delivery_seconds',
      'Duration of delivery attempts, by provider.',
      SECONDS,
    ),
  }
}
