import type { Client, ClientBase } from 'pg'
import { DatabaseUnavailable } from '../../errors.ts'
import { classifyDriverError, type SqlStateClass } from './sqlstates.ts'

/**
 * Identity of the server to which a session is connected. Two sessions whose identities are equal see the same changes
 * in the same order.
 */
export interface ServerIdentity {
  /** `host:port` as the server itself reports it, not the address of a pooler or relay. */
  readonly address: string
  /** System identifier of the cluster; undefined if a hosted service hides it. */
  readonly cluster: string | undefined
  /**
   * Timeline number, which grows with each promotion and each point-in-time recovery; undefined if a hosted service
   * hides it.
   */
  readonly timeline: number | undefined
  /**
   * Object id of the database. The object id changes if the database is dropped and recreated, or replaced through a
   * rename.
   */
  readonly database: string
}

/** Facts that are read when a session begins. */
export interface SessionReport extends ServerIdentity {
  readonly isStandby: boolean
  /** True if the server, the database or the role makes transactions read-only by default. */
  readonly isReadOnly: boolean
  /** Process id of the backend; correct even behind a pooler. */
  readonly processId: number
}

/**
 * Thrown if a server responds but cannot be used: it is a standby or a former primary, or it accepts no changes. The
 * message contains no address, so it may be shown to anyone.
 */
export class WrongServer extends DatabaseUnavailable {
  override readonly name: string = 'WrongServer'
}

/** Error classes with which managed services deny access to functions that identify the cluster. */
const HIDDEN_FUNCTION_ERRORS: ReadonlySet<SqlStateClass | undefined> = new Set([
  'missing right',
  'undefined function',
  'unsupported',
])
const ANSWER_MS = 5000

const CLUSTER = `(select system_identifier::text from pg_control_system()) as cluster,
  case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`
const WITHOUT_CLUSTER = 'null as cluster, null as timeline'

interface ReportRow {
  readonly address: string | null
  readonly port: number | null
  readonly cluster: string | null
  readonly timeline: string | null
  readonly database: string
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  readonly processId: number
}

/**
 * Returns the query that identifies the server. The query must run before the session changes any setting, because it
 * reads the role and the default settings.
 */
const buildReportQuery = (
  cluster: string,
): string => `select host(inet_server_addr()) as address, inet_server_port() as port,
  ${cluster}, (select oid::text from pg_database where datname = current_database()) as database,
  pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
  pg_backend_pid() as "processId"`

/** Facts about a session, and the first row of the last statement that was sent along. */
export interface ReportAnswer {
  readonly report: SessionReport
  readonly last: Readonly<Record<string, unknown>>
}

/**
 * Identifies the server to which a session is connected. Remembers whether the service hides the identity of its
 * cluster.
 */
export class ReportReader {
  #cluster = CLUSTER

  /**
   * Sends the query that identifies the server, followed by `statements`, in one round trip. Rejects with the
   * database's error, or with a timeout if no answer arrives within five seconds.
   */
  async read(client: ClientBase, statements: string): Promise<ReportAnswer> {
    try {
      return await sendReportQuery(client, this.#cluster, statements)
    } catch (error) {
      if (!isHiddenFunction(error) || this.#cluster === WITHOUT_CLUSTER) throw error
      const answered = await sendReportQuery(client, WITHOUT_CLUSTER, statements)
      this.#cluster = WITHOUT_CLUSTER
      return answered
    }
  }
}

/** True if the service denies access to the functions that identify the cluster. */
export function isHiddenFunction(error: unknown): boolean {
  return HIDDEN_FUNCTION_ERRORS.has(classifyDriverError(error))
}

async function sendReportQuery(client: ClientBase, cluster: string, statements: string): Promise<ReportAnswer> {
  const text = `${buildReportQuery(cluster)}; ${statements}`
  const sent = client.query({ text, query_timeout: ANSWER_MS } as { text: string })
  const results = (await sent) as unknown as readonly { rows: readonly Record<string, unknown>[] }[]
  const row = results[0]?.rows[0] as unknown as ReportRow
  const { host = '', port } = client as Client
  const address = row.address === null ? host : `${row.address}:${row.port ?? port}`
  const report: SessionReport = {
    ...row,
    address,
    cluster: row.cluster ?? undefined,
    timeline: row.timeline === null ? undefined : Number.parseInt(row.timeline, 16),
  }
  return { report, last: results.at(-1)?.rows[0] ?? {} }
}

/** Returns true if both identities are the same database on the same timeline. */
export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  return isOneDatabase(one, other) && one.timeline === other.timeline
}

/** Returns true if `one` is the same database as `other`, on an earlier timeline. */
export function isOnEarlierTimeline(one: ServerIdentity, other: ServerIdentity): boolean {
  return isOneDatabase(one, other) && (one.timeline ?? 0) < (other.timeline ?? 0)
}

function isOneDatabase(one: ServerIdentity, other: ServerIdentity): boolean {
  return one.cluster === other.cluster && one.database === other.database
}

/** Formats a server's identity for the log: `10.0.0.2:5432 (cluster 7312…, timeline 2)`. */
export function describeServer({ address, ...identity }: ServerIdentity): string {
  return `${address} (${describeIdentity(identity)})`
}

/** Formats a server's identity without its address, for public output. */
export function describeIdentity({ cluster, timeline }: Pick<ServerIdentity, 'cluster' | 'timeline'>): string {
  if (cluster === undefined) return 'the service does not report its cluster and timeline'
  return `cluster ${cluster}, timeline ${timeline}`
}
