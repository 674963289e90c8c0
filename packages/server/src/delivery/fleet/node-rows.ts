import { splitList } from '@burgee/kit/split-list'
import { HOLDING_LIMITS } from '@burgee/protocol/administration/delivery-receipt'
import { getClientKind } from '@burgee/protocol/sdk/client-kind'
import type { Connection, ConnectionBook } from '@burgee/serving/connections/connection-book'
import { splitByProjects } from '@burgee/serving/connections/holdings'
import { formatHashes, MAX_MESSAGE_BYTES, MAX_PARTS, type NodeRow } from './node-message.ts'

/** Connections that have the same scope, application, revision and lateness. */
interface Group {
  readonly environment: string
  readonly projects: readonly string[]
  readonly appName: string
  readonly held: number
  readonly isLate: boolean
  oldest: number
  readonly hashes: number[]
}

/** Connections of a node, distributed over messages. */
export interface NodeParts {
  /** Number of connections, without edges and proxies. */
  readonly connections: number
  /** Number of connections of edges and proxies. */
  readonly edges: number
  /** Rows of each message; at least one message. */
  readonly parts: readonly (readonly NodeRow[])[]
  /** True if rows were left out. */
  readonly isPartial: boolean
}

/** Allowance for the jitter that SDKs add to their intervals, and for the duration of a poll. */
const LATE_INTERVALS = 1.5
const MAX_PROJECTS_PER_ROW = 40
/** Space reserved for the other properties of a message. */
const HEAD_BYTES = 500
/** Maximum number of hashes per row, so that a large row does not need a message of its own. */
const MAX_HASHES_PER_ROW = 300

/** Returns true if a connection has missed a poll. */
export function isLate({ kind, lastSeenMs, intervalMs }: Connection, now: number): boolean {
  return kind === 'poll' && now - lastSeenMs > intervalMs * LATE_INTERVALS
}

/** Returns true if a connection belongs to an edge or proxy. */
export function isEdgeConnection({ sdk }: Pick<Connection, 'sdk'>): boolean {
  const kind = getClientKind(sdk, false)
  return kind === 'edge' || kind === 'proxy'
}

/**
 * Distributes the connections of a node over messages. Connections whose flags belong to another epoch get revision 0.
 */
export function divideConnections(
  book: ConnectionBook,
  now: number,
  getEpoch: (environment: string) => string | undefined,
): NodeParts {
  const groups = new Map<string, Group>()
  let connections = 0
  let edges = 0
  for (const connection of book.list()) {
    if (isEdgeConnection(connection)) {
      edges += 1
      continue
    }
    connections += 1
    const { scope, appName, epoch, lastSeenMs, hash } = connection
    const { environment, projects } = scope
    const held = epoch === getEpoch(environment) ? connection.held : 0
    const late = isLate(connection, now)
    const key = JSON.stringify([environment, projects, appName, held, late])
    const known = groups.get(key)
    if (known === undefined) {
      const group = { environment, projects, appName, held, isLate: late, oldest: lastSeenMs, hashes: [hash] }
      groups.set(key, group)
      continue
    }
    known.oldest = Math.min(known.oldest, lastSeenMs)
    known.hashes.push(hash)
  }
  return { connections, edges, ...pack(listRows(groups.values())) }
}

function* listRows(groups: Iterable<Group>): Generator<NodeRow> {
  for (const group of splitByProjects(groups, MAX_PROJECTS_PER_ROW)) {
    const { environment, projects, appName, held, oldest, hashes } = group
    for (const part of splitList(hashes, MAX_HASHES_PER_ROW)) {
      const text = formatHashes(part)
      yield [environment, [...projects], appName.slice(0, HOLDING_LIMITS.text), held, oldest, group.isLate, text]
    }
  }
}

/** Fills messages with rows. Leaves out rows that do not fit. */
function pack(rows: Iterable<NodeRow>): Pick<NodeParts, 'parts' | 'isPartial'> {
  const parts: NodeRow[][] = [[]]
  let bytes = HEAD_BYTES
  let isPartial = false
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row)) + 1
    if (size > MAX_MESSAGE_BYTES - HEAD_BYTES) {
      isPartial = true
      continue
    }
    if (bytes + size > MAX_MESSAGE_BYTES) {
      if (parts.length === MAX_PARTS) return { parts, isPartial: true }
      parts.push([])
      bytes = HEAD_BYTES
    }
    bytes += size
    parts.at(-1)?.push(row)
  }
  return { parts, isPartial }
}
