import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { FleetBook } from './fleet-book.ts'

/** Adds the metrics about connections and delivery receipts. */
export function registerFleetSeries(registry: SeriesRegistry, fleet: FleetBook): void {
  registry.gauges(
    'burgee_delivery_waiting',
    'Connections that do not have the latest change of their flags yet, by environment.',
    () => countOutdatedConnections(fleet),
    'sum',
  )
  registry.gauge('burgee_connections', 'Recorded connections of SDKs, proxies and edges.', () => fleet.connections.size)
  registry.gauge('burgee_connections_bytes', 'Memory of the recorded connections.', () => fleet.connections.bytes)
  registry.observableCounter(
    'burgee_connections_unrecorded_total',
    'Polls and streams that were not recorded, because too many connections are recorded.',
    () => fleet.connections.unrecorded,
  )
}

function countOutdatedConnections(fleet: FleetBook) {
  const counts = new Map<string, number>()
  for (const connection of fleet.connections.list()) {
    const { scope } = connection
    const isBehind = fleet.isBehind({ scope, held: fleet.getHeld(connection) })
    counts.set(scope.environment, (counts.get(scope.environment) ?? 0) + Number(isBehind))
  }
  return [...counts].map(([environment, count]) => [{ environment }, count] as const)
}
