import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { Connection } from '@burgee/serving/connections/connection-book'
import type { FleetBook } from './fleet-book.ts'
import type { NodeReport } from './node-exchange.ts'

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

/**
 * Counts the connections of this node that wait for a change, by environment. The sum over all nodes counts each
 * connection once, also if its polls reach several nodes.
 */
function countOutdatedConnections(fleet: FleetBook) {
  const counts = new Map<string, number>()
  const behind = new Map<number, Connection>()
  for (const connection of fleet.connections.list()) {
    const { scope } = connection
    counts.set(scope.environment, counts.get(scope.environment) ?? 0)
    if (fleet.isBehind({ scope, held: fleet.getHeld(connection) })) behind.set(connection.hash, connection)
  }
  if (behind.size > 0) {
    for (const node of fleet.nodes.list()) removeCountedElsewhere(fleet, behind, node)
  }
  for (const { scope } of behind.values()) counts.set(scope.environment, (counts.get(scope.environment) ?? 0) + 1)
  return [...counts].map(([environment, count]) => [{ environment }, count] as const)
}

/**
 * Removes connections that have the change according to another node, and connections that the other node counts: of
 * the nodes that know a connection, the one with the first id counts it.
 */
function removeCountedElsewhere(fleet: FleetBook, behind: Map<number, Connection>, node: NodeReport): void {
  const isFirst = node.id < fleet.nodes.id
  for (const { hashes, revision } of node.holdings) {
    for (const hash of hashes) {
      const connection = behind.get(hash)
      if (connection === undefined) continue
      if (isFirst || !fleet.isBehind({ scope: connection.scope, held: revision })) behind.delete(hash)
    }
  }
}
