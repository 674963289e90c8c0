import { HOLDING_LIMITS } from '@burgee/protocol/administration/delivery-receipt'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const Name = Type.String({ maxLength: HOLDING_LIMITS.text })
const Whole = (maximum: number) => Type.Integer({ minimum: 0, maximum })

/** PostgreSQL only accepts notifications shorter than 8,000 bytes, including the name of the schema. */
export const MAX_MESSAGE_BYTES = 7500
/** Maximum number of messages per report. Rows that would need more messages are left out. */
export const MAX_PARTS = 200
/** Maximum interval between reports, in milliseconds. */
const MAX_INTERVAL_MS = 60_000
const HASH_BYTES = 6

/**
 * The first items are the environment, projects, application and revision that the connections share, in this order.
 * The other items are the time of the oldest last request, true if the connections have missed a poll, and the
 * connections' hashes in base64.
 */
const NodeRow = Type.Tuple([
  Name,
  Type.Array(Name, { maxItems: HOLDING_LIMITS.projects }),
  Name,
  Whole(Number.MAX_SAFE_INTEGER),
  Whole(Number.MAX_SAFE_INTEGER),
  Type.Boolean(),
  Type.String({ maxLength: MAX_MESSAGE_BYTES, pattern: '^(?:[A-Za-z0-9+/]{8})+$' }),
])
export type NodeRow = Static<typeof NodeRow>

/**
 * Message to other nodes with some of this node's rows. Rows are arrays rather than objects, because messages must be
 * short.
 */
const NodeMessage = Type.Object({
  node: Name,
  name: Name,
  /** Number of the report, and number of this part within the report. */
  report: Whole(Number.MAX_SAFE_INTEGER),
  part: Whole(MAX_PARTS),
  parts: Whole(MAX_PARTS),
  /** Time until the next report, in milliseconds. */
  intervalMs: Whole(MAX_INTERVAL_MS),
  /** Number of connections of the node, without edges and proxies. */
  connections: Whole(HOLDING_LIMITS.connections),
  /** Number of edges and proxies that are connected to the node. */
  edges: Whole(HOLDING_LIMITS.connections),
  /** True if rows were left out. */
  isPartial: Type.Boolean(),
  rows: Type.Array(NodeRow, { maxItems: HOLDING_LIMITS.rows }),
})
export type NodeMessage = Static<typeof NodeMessage>

const schema = Compile(NodeMessage)

/** Parses a message; returns undefined for an unknown format, which another version of the program may have sent. */
export function parseNodeMessage(text: string): NodeMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return schema.Check(message) && message.part < message.parts ? message : undefined
  } catch {
    return undefined
  }
}

/** Encodes 48-bit hashes. */
export function formatHashes(hashes: readonly number[]): string {
  const bytes = Buffer.alloc(hashes.length * HASH_BYTES)
  for (const [at, hash] of hashes.entries()) bytes.writeUIntBE(hash, at * HASH_BYTES, HASH_BYTES)
  return bytes.toString('base64')
}

/** Decodes 48-bit hashes. */
export function parseHashes(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64')
  const hashes = new Float64Array(Math.floor(bytes.length / HASH_BYTES))
  for (const at of hashes.keys()) hashes[at] = bytes.readUIntBE(at * HASH_BYTES, HASH_BYTES)
  return hashes
}
