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
import type { UsageTables } from './queries/usage/usage-tables.ts'
import type { PipelinedResult } from './transactions/pipelined-result.ts'

/**
 * Schema of all tables. Flags, projects and environments are keyed by the names that SDKs and users use; all other
 * tables have ids.
 */
export interface Schema
  extends AccessTables,
    AdminTables,
    AgentTables,
    ChangeRequestTables,
    CodeReferenceTables,
    CommentTables,
    EventTables,
    FeatureTables,
    ImpactTables,
    IntegrationTables,
    ProjectTables,
    ReleaseTables,
    SearchIndexTables,
    SsoTables,
    TokenTables,
    UsageTables {
  settings: { name: string; value: string }
  /** Counters of changes that write no event (see change-counters.ts). */
  change_marks: { name: string; revision: number }
  /** Database epoch, in a single row. On PostgreSQL, also the origin of that row (see postgres-epoch.ts). */
  database_epoch: { epoch: string; origin: string | null; begun_at: Generated<Millis | null> }
}

/** Names of the columns that hold JSON, in any table. The drivers parse the columns with these names. */
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
] as const

/** Database or transaction as a read-only handle: the type omits the methods that write. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom' | 'fn'>

/** Running transaction. Only this handle can write. During a transaction, use no other handle. */
export type Tx = Transaction<Schema>

/**
 * Read that a change needs before its first write. The read may run before earlier changes have written. This is safe,
 * because `read` uses only data of the `subject`, and only changes with the same subject modify that data.
 */
export interface ReadAhead<K> {
  readonly subject: string
  readonly read: (reader: Reader) => Promise<K>
}

/** Open database. Changes that write events must use `execute` or `record`, which call `write`. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs single queries on committed data. The database rejects writes in these queries. */
  readonly reader: Reader
  /** Runs several queries that all see the same snapshot of the data. */
  view<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Runs slow queries on one snapshot, on connections that are reserved for slow queries. */
  scan<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /**
   * Runs one change under the writer lock, so its ids are consecutive and become visible in order. Changes that wait at
   * the same time share one transaction. A change must await only its own statements. A statement without `returning`
   * is not awaited: its row count is unknown, and an error of the statement makes the change fail. A change can be
   * rolled back and run again, so it must have no side effects besides its statements. If the change has written data,
   * other nodes are notified. `known` is the result of `ahead`; undefined if the early read did not run.
   */
  write<T, K = never>(
    work: (tx: Tx, known: Promise<K> | undefined) => Promise<T | PipelinedResult<T>>,
    ahead?: ReadAhead<K>,
  ): Promise<T>
  /**
   * Runs one transaction. Takes no writer lock if the database supports transactions without it. Meant for counters,
   * never for events.
   */
  count<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Calls `hint` when new events are likely, and `trouble` while new events cannot be detected. Hints can be lost,
   * late, repeated or wrong. Calls `receive` with messages of other nodes. Undefined if no other node can write to the
   * same database.
   */
  watch?(hint: () => void, trouble: (error: unknown) => void, receive?: (message: string) => void): Watch
  /** Begins a new database epoch, with a random id that the database generates. */
  renewEpoch(tx: Tx): Promise<void>
  /** Throws DatabaseGone if commits would be lost because the file was removed or replaced. */
  requirePresent(): void
  /**
   * Returns some free space to the file system. Resolves with true if more free space is left. Undefined if the
   * database file shrinks by itself.
   */
  reclaim?(): Promise<boolean>
  /** Returns the state of the connection pools. Undefined if connections are not pooled. */
  pools?(): readonly PoolState[]
  /**
   * Returns a number that increases when another database server becomes the primary server. Data that was read in
   * different generations must not be combined. Undefined if no other server can take over.
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
  /** Server whose data is in use; undefined before the first session. */
  readonly primary:
    | { readonly address: string; readonly cluster: string | undefined; readonly timeline: number | undefined }
    | undefined
  /**
   * Reason why changes cannot be written, and the time at which this began, in milliseconds since 1970. Undefined if
   * changes can be written.
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

/** Current number of connections in one pool. */
export interface PoolState {
  readonly pool: 'writing' | 'counting' | 'reading' | 'scanning'
  readonly busy: number
  readonly idle: number
  /** Number of callers waiting for a connection. */
  readonly waiting: number
  /**
   * Maximum number of connections, and number of connections that stay open while idle (`least`). Undefined for the
   * embedded database.
   */
  readonly max?: number | undefined
  readonly min?: number | undefined
}

/** Options of a database driver. */
export interface DatabaseOptions {
  readonly clock: () => number
  /**
   * True to use the tables without migrating them, even while a server is running. The tables must match this version
   * of the program.
   */
  readonly asGuest?: boolean
  /** Called with the SQL and outcome of every query, for metrics and for tests. */
  readonly onQuery?: ((sql: string, outcome: QueryOutcome) => void) | undefined
  /** Called with a line for the debug log. */
  readonly debug?: DebugLog | undefined
  /** Milliseconds after which no further change is added to a running batch; 100 by default. */
  readonly maxBatchMs?: number | undefined
}

/** Returns the generation of a database; always 0 without a server. */
export function getGeneration(db: Pick<Database, 'generation'>): number {
  return db.generation?.() ?? 0
}
