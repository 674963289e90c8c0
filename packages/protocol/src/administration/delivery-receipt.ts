import Type, { type Static } from 'typebox'
import { RowId } from '../row-id.ts'

/** Schemas for delivery receipts and for the fleet. Burgee extension. */

const Count = Type.Integer({ minimum: 0 })
const OptionalText = Type.Union([Type.String(), Type.Null()])
const OptionalTime = Type.Union([Type.String(), Type.Null()])
const OptionalRevision = Type.Union([Type.Integer(), Type.Null()])

/** Maximum number of entries in each list of a delivery receipt or of the fleet. */
export const MAX_LISTED_CONNECTIONS = 500

/** Maximum number of rows that an edge reports, and maximum length of the strings in a row. */
export const HOLDING_LIMITS = { rows: 2000, text: 100, projects: 100, connections: 1_000_000 } as const
/** Latest time that a Date can represent, in milliseconds since 1970. */
const MAX_TIME_MS = 8_640_000_000_000_000

/**
 * Group of connections to an edge or proxy that have the same revision. Sent with `POST /api/client/metrics/bulk`; a
 * newer report from the same connection replaces all rows for the environment.
 */
export const Holding = Type.Object({
  environment: Type.String({ maxLength: HOLDING_LIMITS.text }),
  projects: Type.Array(Type.String({ maxLength: HOLDING_LIMITS.text }), { maxItems: HOLDING_LIMITS.projects }),
  /** The numbers in `processes` are exact; the numbers in `pages` are estimates. */
  kind: Type.Enum(['processes', 'pages']),
  appName: Type.String({ maxLength: HOLDING_LIMITS.text }),
  /** Upstream revision that the connections have; 0 if they have no revision or an unknown one. */
  revision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  connections: Type.Integer({ minimum: 0, maximum: HOLDING_LIMITS.connections }),
  /** Time of the last request of the connection that has been silent for longest, in milliseconds since 1970. */
  oldest: Type.Integer({ minimum: 0, maximum: MAX_TIME_MS }),
})
export type Holding = Static<typeof Holding>

/** Process that has yet to receive a change, or a group of such processes behind an edge. */
export const PendingConnection = Type.Object({
  appName: Type.String(),
  /** Connection id; null for a group of processes. */
  connectionId: OptionalText,
  /** True if the SDK sends no connection id, in which case several processes may share one entry. */
  isAbout: Type.Boolean(),
  sdk: OptionalText,
  /**
   * Name of the edge or node through which the processes are connected; null if they are connected directly to this
   * server.
   */
  via: OptionalText,
  connections: Count,
  /** `offered`: the change was sent, but not yet confirmed by a poll. */
  state: Type.Enum(['offered', 'waiting']),
  /** Revision that the SDK has; null until a revision is confirmed for the first time. */
  holds: OptionalRevision,
  lastSeen: OptionalTime,
  /** Expected time of the next poll; null for a stream and for a group of processes. */
  expectedBy: OptionalTime,
  /** True if the process has missed a poll. */
  isSilent: Type.Boolean(),
})
export type PendingConnection = Static<typeof PendingConnection>

/** Edge or proxy, with the revision that it has. */
export const DeliveryEdge = Type.Object({
  name: Type.String(),
  version: OptionalText,
  holds: OptionalRevision,
  /** True if the edge has received the change. */
  isHeld: Type.Boolean(),
  lastSeen: Type.String(),
  isSilent: Type.Boolean(),
  /** Number of processes connected to the edge, according to its last report. */
  connections: Count,
})
export type DeliveryEdge = Static<typeof DeliveryEdge>

/** Delivery receipt for a change to a flag: the processes, pages and edges in which the change is in effect. */
export const Delivery = Type.Object({
  /** Id of the event that the change wrote; null if the flag was never changed in the environment. */
  event: Type.Union([Type.Integer(), Type.Null()]),
  /** Current revision of the environment's flags on this server; null if they have not been read yet. */
  revision: OptionalRevision,
  committedAt: OptionalTime,
  processes: Type.Object({
    known: Count,
    /** Processes whose ETag contains the change, or to whose stream the change was written. */
    held: Count,
    /** Processes to which the change was sent, but which have not confirmed it yet. */
    offered: Count,
    /** Processes that have not received the change yet; at most 500 entries. */
    waiting: Type.Array(PendingConnection, { maxItems: MAX_LISTED_CONNECTIONS }),
  }),
  /**
   * Number of open streams, and of streams to which the change was written. SDKs do not acknowledge messages of a
   * stream.
   */
  streams: Type.Object({ open: Count, sent: Count }),
  /** Estimated number of web pages seen in the last two minutes. */
  pages: Type.Object({ seen: Count, held: Count }),
  edges: Type.Array(DeliveryEdge),
  /** Number of other server nodes that have reported their connections. */
  nodes: Count,
  /**
   * Median time from the commit until the change was sent, over the processes that have it; null if no process has it.
   */
  p50Ms: Type.Union([Type.Integer(), Type.Null()]),
  p99Ms: Type.Union([Type.Integer(), Type.Null()]),
  /**
   * True if the receipt lacks connections, because the record of connections is full or because edges use another
   * server node.
   */
  isIncomplete: Type.Boolean(),
})
export type Delivery = Static<typeof Delivery>

/** Query that selects the change for a receipt. */
export const DeliveryQuery = Type.Object({
  /** Id of an event of the flag; by default, the last event that changed the flag in the environment. */
  event: Type.Optional(RowId),
})

/** Group of connections of an application that have the same scope, revision and SDK. */
export const FleetApplication = Type.Object({
  appName: Type.String(),
  environment: Type.String(),
  projects: Type.Array(Type.String()),
  sdk: OptionalText,
  via: OptionalText,
  connections: Count,
  streams: Count,
  silent: Count,
  holds: OptionalRevision,
  /** True if these connections have not received the latest change to their flags. */
  isBehind: Type.Boolean(),
  lastSeen: Type.String(),
})
export type FleetApplication = Static<typeof FleetApplication>

/** Edge or proxy in the fleet. */
export const FleetEdge = Type.Object({
  name: Type.String(),
  version: OptionalText,
  environments: Type.Array(
    Type.Object({ environment: Type.String(), holds: OptionalRevision, isBehind: Type.Boolean() }),
  ),
  connections: Count,
  streams: Count,
  lastSeen: Type.String(),
  isSilent: Type.Boolean(),
  /**
   * 99th percentile of the duration of the edge's requests to this server, in milliseconds; null if the edge does not
   * report it.
   */
  upstreamP99Ms: Type.Union([Type.Number(), Type.Null()]),
})
export type FleetEdge = Static<typeof FleetEdge>

/** Server node, and the connections that it serves directly. */
export const FleetNode = Type.Object({
  name: Type.String(),
  isThis: Type.Boolean(),
  connections: Count,
  streams: Count,
  lastSeen: Type.String(),
})
export type FleetNode = Static<typeof FleetNode>

/** Server nodes, edges, proxies and applications, with the revisions of flags that they have. */
export const Fleet = Type.Object({
  environments: Type.Array(Type.Object({ environment: Type.String(), revision: OptionalRevision })),
  nodes: Type.Array(FleetNode),
  edges: Type.Array(FleetEdge),
  /** At most 500 entries. */
  applications: Type.Array(FleetApplication),
  isIncomplete: Type.Boolean(),
})
export type Fleet = Static<typeof Fleet>

/** Status report that an edge sends. Source: wire protocol, `POST /api/client/metrics/edge`. */
export const EdgeStatusReport = Type.Object(
  {
    identifier: Type.Optional(Type.Unknown()),
    appName: Type.Optional(Type.Unknown()),
    edgeVersion: Type.Optional(Type.Unknown()),
    connectedStreamingClients: Type.Optional(Type.Unknown()),
    latencyUpstream: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
)
export type EdgeStatusReport = Static<typeof EdgeStatusReport>
