import type { Counter, Histogram, SeriesRegistry } from '@burgee/kit/series/series'

/** What is counted of deliveries. */
export interface DeliverySeries {
  /** By `provider` and `result`: success, failure, retry, dropped. */
  readonly deliveries: Counter
  /** By `provider`, in seconds. */
  readonly durations: Histogram
}

/** Adds how many wait, as they were counted last. */
export function watchWaitingDeliveries(
  registry: SeriesRegistry,
  read: () => ReadonlyMap<string, number> | undefined,
): void {
  registry.gauges(
    'burgee_integration_deliveries_waiting',
    'Deliveries to integrations that wait for their turn or their next try, by provider; as of the last minute.',
    () => [...(read() ?? [])].map(([provider, count]) => [{ provider }, count] as const),
  )
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Adds the series of deliveries. */
export function seriesOfDeliveries(registry: SeriesRegistry): DeliverySeries {
  return {
    deliveries: registry.counter(
      'burgee_integration_deliveries_total',
      'Tries to deliver events to integrations, by provider and result: success, failure (given up), retry, dropped.',
    ),
    durations: registry.histogram(
      'burgee_integration_delivery_seconds',
      'How long tries to deliver took, by provider.',
      SECONDS,
    ),
  }
}
