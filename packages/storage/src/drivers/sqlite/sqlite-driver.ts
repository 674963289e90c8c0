import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { requireStorable } from '../../errors.ts'
import type { Leases } from '../../leases.ts'
import { isWriteWithoutResult } from '../../transactions/change-connection.ts'
import type { JobResult, SqliteThread } from './sqlite-thread.ts'

const NO_ROWS: QueryResult<never> = { rows: [] }
const BEGIN = 'BEGIN'
const BEGIN_WRITING = 'BEGIN IMMEDIATE'
const COMMIT = 'COMMIT'
const ROLLBACK = 'ROLLBACK'
const ENDS: Readonly<Record<string, 'commit' | 'rollback'>> = { [COMMIT]: 'commit', [ROLLBACK]: 'rollback' }
const SAVEPOINT = /^(savepoint|release) /i

/** Configuration for connections that serve one purpose. */
export interface ConnectionConfig {
  readonly threads: Leases<SqliteThread>
  readonly isWriter: boolean
  /**
   * Time limit for a statement, in milliseconds. Writes have no time limit, because it would be unknown whether an
   * interrupted write took effect.
   */
  readonly limitMs: number
  /** Called after each commit with the new state of the database, before the commit's promise resolves. */
  readonly onCommit?: (mark: NonNullable<JobResult['position']>) => void
}

/** Creates a Kysely dialect for connections that run on worker threads. */
export function sqliteDialect(driver: SqliteDriver): Dialect {
  return {
    createAdapter: () => new ThreadsAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Adapter that tells Kysely that SQLite can roll back DDL, so that a failed migration leaves no changes. */
class ThreadsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Kysely driver that lets only one caller at a time use a connection. A transaction occupies its connection until it
 * ends.
 */
export class SqliteDriver implements Driver {
  readonly #purpose: ConnectionConfig

  constructor(purpose: ConnectionConfig) {
    this.#purpose = purpose
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(await this.#purpose.threads.acquire(), this.#purpose)
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    this.#purpose.threads.release(connection.thread)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#purpose.isWriter ? BEGIN_WRITING : BEGIN))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(COMMIT))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(ROLLBACK))
  }

  async destroy(): Promise<void> {
    const threads = await this.#purpose.threads.drain()
    await Promise.all(threads.map((thread) => thread.close()))
  }
}

/**
 * Connection to a worker thread, which only one caller at a time uses. Statements that return no result are sent
 * together with the next statement, because every message to a thread is costly.
 */
class SqliteConnection implements DatabaseConnection {
  readonly thread: SqliteThread
  readonly #purpose: ConnectionConfig
  #before: string[] = []
  /** True if a part of the transaction has already been sent to the thread. */
  #hasBegun = false

  constructor(thread: SqliteThread, purpose: ConnectionConfig) {
    this.thread = thread
    this.#purpose = purpose
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const end = ENDS[sql]
    if (end !== undefined) return this.#end(end)
    if (this.#isSentWithNext(sql)) {
      this.#before.push(sql)
      return NO_ROWS
    }
    requireStorable(parameters)
    const kind = isWriteWithoutResult(query) ? 'run' : 'rows'
    const { limitMs } = this.#purpose
    const { rows, changes, lastInsertRowid } = await this.#run({ kind, before: this.#take(), sql, parameters, limitMs })
    if (kind === 'rows') return { rows: rows as R[] }
    return { rows: [], numAffectedRows: BigInt(changes ?? 0), insertId: BigInt(lastInsertRowid ?? 0) }
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator, and this one emits nothing
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not used')
  }

  /**
   * Returns true for statements that can wait to be sent with the next statement. The BEGIN of a reader can wait,
   * because its snapshot starts with the first query. The BEGIN of a writer cannot wait, because it must take the lock
   * immediately.
   */
  #isSentWithNext(sql: string): boolean {
    return SAVEPOINT.test(sql) || (sql === BEGIN && !this.#purpose.isWriter)
  }

  async #end(kind: 'commit' | 'rollback'): Promise<QueryResult<never>> {
    const before = this.#take()
    if (!this.#hasBegun) return NO_ROWS
    if (kind === 'rollback') {
      await this.#run({ kind })
      return NO_ROWS
    }
    const ended = this.#run({ kind, before })
    if (!this.#purpose.isWriter) {
      // a reader need not wait until its transaction has ended
      ended.catch(() => {})
      return NO_ROWS
    }
    const { position } = await ended
    if (position !== undefined) this.#purpose.onCommit?.(position)
    return NO_ROWS
  }

  #run(job: Parameters<SqliteThread['run']>[0]): Promise<JobResult> {
    this.#hasBegun = true
    return this.thread.run(job)
  }

  /**
   * Returns the list of pending statements, and starts a new list. The returned list is sent later, so it must not be
   * changed afterwards.
   */
  #take(): readonly string[] {
    const before = this.#before
    this.#before = []
    return before
  }
}
