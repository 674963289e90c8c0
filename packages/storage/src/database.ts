import type { DebugLog } from '@burgee/kit/log/logger'
import type { Generated, Kysely, Transaction } from 'kysely'
import type { AdminTables } from './admin-tables.ts'
import type { Millis } from './columns.ts'
import type { AccessTables } from './queries/access/access-tables.ts'
import type { TokenTables } from './queries/access/token-tables.ts'
import type { AgentTables } from './queries/agents/agent-tables.ts'
import type { ChangeRequestTables } from './queries/change-requests/change-request-tables.ts'
import type { CodeReferenceTables } from './queries/code-references/code-reference-tables.ts'
import type { EventTables } from './queries/events/event-tables.ts'
import type { SearchIndexTables } from './queries/events/search-index-tables.ts'
import type { CommentTables } from './queries/flags/comment-tables.ts'
import type { FeatureTables } from './queries/flags/feature-tables.ts'
import type { ImpactTables } from './queries/impact/impact-tables.ts'
import type { IntegrationTables } from './queries/integrations/integration-tables.ts'
import type { ProjectTables } from './queries/projects/project-tables.ts'
import type { ReleaseTables } from './queries/releases/release-tables.ts'
import type { SsoTables } from './queries/sso/sso-tables.ts'
import type { TestRunTables } from './queries/test-runs/test-run-tables.ts'
import type { ConfigTables } from './queries/transfer/config-tables.ts'
import type { UsageTables } from './queries/usage/usage-tables.ts'
import type { PipelinedResult } from './transactions/pipelined-result.ts'

/**
 * Schema of all tables. Flags, projects and environments have as keys the names that SDKs and users use; all other
 * tables have numeric ids.
 */
export interface Schema
  extends AccessTables,
    AdminTables,
    AgentTables,
    ChangeRequestTables,
    CodeReferenceTables,
    CommentTables,
    ConfigTables,
    EventTables,
    FeatureTables,
    ImpactTables,
    IntegrationTables,
    ProjectTables,
    ReleaseTables,
    SearchIndexTables,
    SsoTables,
    TestRunTables,
    TokenTables,
    UsageTables {
  settings: { name: string; value: string }
  /** Counters of changes that write no event (see change-counters.ts). */
  change_marks: { name: string; revision: number }
  /**
   * Database epoch, stored in a single row. On PostgreSQL, the row also contains its own origin (see
   * postgres-epoch.ts).
   */
  database_epoch: { epoch: string; origin: string | null; begun_at: Generated<Millis | null> }
}

/** Names of the columns that contain JSON, in any table. The drivers parse the values of columns with these names. */
export const JSON_COLUMNS = [
  'data',
  'pre_data',
  'undo',
  'agent',
  'tags',
  'parameters',
  'constraints',
  'variants',
  'strategies',
  'legal_values',
  'default_strategy',
  'link_templates',
  'open_parameters',
  'sealed_parameters',
  'event_types',
  'only_projects',
  'only_environments',
  'mappings_sso',
  'state_times',
  'payload',
  'base',
  'labels',
  'bounds',
  'source_projects',
  'milestones',
  'definition',
  'trip',
  'places',
  'reports',
  'overrides',
] as const

/** Database or transaction as a handle for reading: its type omits the methods that write. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom' | 'fn'>

/**
 * Running transaction. Handle that can also write; no other handle can. While a transaction is open, no other handle
 * may be used.
 */
export type Tx = Transaction<Schema>

/**
 * Read that a change needs before its first write. This read may run before earlier changes have been written. Reading
 * early is safe because `read` uses only data of the `subject`, which only changes with the same subject modify.
 */
export interface ReadAhead<K> {
  readonly subject: string
  readonly read: (reader: Reader) => Promise<K>
}

/** Open database. Changes that write events must use `execute` or `record`, which call `write`. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs single queries on committed data. The database rejects queries that would write. */
  readonly reader: Reader
  /** Runs several queries that all see the same snapshot of the data. */
  view<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Runs slow queries on one snapshot, on connections that are reserved for slow queries. */
  scan<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /**
   * Runs one change while holding the writer lock, so that its event ids are consecutive and become visible in order.
   * Changes that are waiting at the same time share one transaction. A change must await nothing except its own
   * statements. A statement without `returning` is not awaited: its row count is unknown, and its failure makes the
   * whole change fail. A change may be rolled back and run again, so it must have no side effects other than its
   * statements. If the change has written anything, other nodes are notified. `known` is the result of `ahead`;
   * undefined if that early read did not run.
   */
  write<T, K = never>(
    work: (tx: Tx, known: Promise<K> | undefined) => Promise<T | PipelinedResult<T>>,
    ahead?: ReadAhead<K>,
  ): Promise<T>
  /**
   * Runs one transaction. Runs without the writer lock if the database supports this. Intended for counters, never for
   * events.
   */
  count<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Calls `hint` when new events are likely, and `trouble` while new events cannot be detected. Hints can be lost,
   * delayed, repeated or wrong. Calls `receive` with each message that another node sends. Undefined if no other node
   * can write to the same database.
   */
  watch?(hint: () => void, trouble: (error: unknown) => void, receive?: (message: string) => void): Watch
  /** Starts a new database epoch, whose random id the database generates. */
  renewEpoch(tx: Tx): Promise<void>
  /** Throws DatabaseGone if the database file was removed or replaced, in which case commits would be lost. */
  requirePresent(): void
  /**
   * Returns part of the free space in the database file to the file system. Resolves with true if there is more free
   * space to return. Undefined if the database returns free space without help.
   */
  reclaim?(): Promise<boolean>
  /** Returns the state of the connection pools. Undefined if the database does not use connection pools. */
  pools?(): readonly PoolState[]
  /** Returns the memory of the threads that run connections. Undefined if connections do not run on threads. */
  threadMemory?(): ThreadMemory
  /**
   * Returns a generation number, which increases when another database server becomes the primary. Data that was read
   * in different generations must not be mixed. Undefined if no other server can become the primary.
   */
  generation?(): number
  /**
   * Returns the identity of the database server, and whether changes can be written. Undefined if the database does not
   * run on a server.
   */
  server?(): ServerStatus
  /** Waits for running queries and closes the database. */
  close(): Promise<void>
}

/** Status of the database server. */
export interface ServerStatus {
  /** Server whose data this node uses; undefined before the first session. */
  readonly primary:
    | { readonly address: string; readonly cluster: string | undefined; readonly timeline: number | undefined }
    | undefined
  /**
   * Reason why changes cannot be written, with the time since when, in milliseconds since 1970. Undefined if changes
   * can be written.
   */
  readonly refusal: { readonly reason: string; readonly sinceMs: number } | undefined
}

/** Subscription that lasts until it is closed. */
export interface Watch {
  close(): Promise<void>
}

/** Outcome of a query. */
export interface QueryOutcome {
  readonly durationMs: number
  /** Undefined if the query succeeded. */
  readonly error: unknown
}

/** Memory of threads in bytes: statements that SQLite has prepared, and heaps of V8. */
export interface ThreadMemory {
  readonly statements: number
  readonly heap: number
}

/** Current number of connections in one connection pool. */
export interface PoolState {
  readonly pool: 'writing' | 'counting' | 'reading' | 'scanning'
  readonly busy: number
  readonly idle: number
  /** Number of callers that are waiting for a connection. */
  readonly waiting: number
  /**
   * Maximum number of connections, and the number that remain open while idle (`least`). Undefined for the embedded
   * database.
   */
  readonly max?: number | undefined
  readonly min?: number | undefined
}

/** Options of a database driver. */
export interface DatabaseOptions {
  readonly clock: () => number
  /**
   * True to use the tables without migrating them, even if a server is running at the same time. The tables must then
   * match this version of the program.
   */
  readonly asGuest?: boolean
  /** Called for every query with its SQL and outcome, for metrics and for tests. */
  readonly onQuery?: ((sql: string, outcome: QueryOutcome) => void) | undefined
  /** Called with a line for the debug log. */
  readonly debug?: DebugLog | undefined
  /** Milliseconds after which no more changes are added to a batch that is already running; 100 by default. */
  readonly maxBatchMs?: number | undefined
}

/** Returns the current generation of a database; always 0 for a database that does not run on a server. */
export function getGeneration(db: Pick<Database, 'generation'>): number {
  return db.generation?.() ?? 0
}
