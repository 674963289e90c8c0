import type { NodeHolding, NodeReport } from '../../delivery/fleet/node-exchange.ts'

/** Newest state of a connection that other nodes have reported. All connections of a row share this object. */
export interface NodeConnection {
  readonly row: NodeHolding
  /** Node that has seen the newest revision. */
  readonly node: NodeReport
  /** True if every node has missed a poll of the connection. */
  readonly isLate: boolean
}

/**
 * Generator that collects the connections known to other nodes into a map keyed by hash, one row per iteration. Several
 * nodes can know a connection, because a load balancer may distribute its polls: the newest revision counts.
 */
export function* collectConnections(
  nodes: readonly NodeReport[],
  matches: (row: NodeHolding) => boolean,
): Generator<void, Map<number, NodeConnection>> {
  const connections = new Map<number, NodeConnection>()
  for (const node of nodes) {
    for (const row of node.holdings) {
      if (!matches(row)) continue
      const own = { row, node, isLate: row.isLate }
      for (const hash of row.hashes) {
        const known = connections.get(hash)
        connections.set(hash, known === undefined ? own : merge(known, own))
      }
      yield
    }
  }
  return connections
}

/** Counts the connections that share the same row, node and lateness. */
export function countConnections(connections: Iterable<NodeConnection>): Map<NodeConnection, number> {
  const counts = new Map<NodeConnection, number>()
  for (const connection of connections) counts.set(connection, (counts.get(connection) ?? 0) + 1)
  return counts
}

function merge(one: NodeConnection, other: NodeConnection): NodeConnection {
  const newest = other.row.revision > one.row.revision ? other : one
  const isLate = one.isLate && other.isLate
  return newest.isLate === isLate ? newest : { ...newest, isLate }
}
