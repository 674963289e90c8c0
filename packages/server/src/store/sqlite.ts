import { open } from 'node:fs/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  type Driver,
  InsertQueryNode,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  UpdateQueryNode,
} from 'kysely'
import type { Database, DatabaseOptions, Schema } from './database.ts'
import { SQLITE_DDL } from './ddl.ts'
import { refuseUnstorable } from './errors.ts'
import { PARSE_JSON } from './json-columns.ts'
import { migrate } from './migrations.ts'
import { queryLog } from './query-log.ts'

const BUSY = 'PRAGMA busy_timeout=5000;'
const PRAGMAS = `${BUSY} PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;`
const SQLITE_BUSY = 5
const MOST_TRIES = 100
const MOST_STATEMENTS = 500
const OWNER_ONLY = 0o600

/**
 * Opens (and creates) the database in `file` and brings its tables up to date. One connection writes, another one,
 * opened read-only, reads: a write outside a transaction of `write` or `count` fails in SQLite itself.
 */
export async function openSqlite(file: string, options: DatabaseOptions): Promise<Database> {
  // made before SQLite makes it, and its log files get the same mode
  await (await open(file, 'a', OWNER_ONLY)).close()
  const writing = new DatabaseSync(file)
  await writeAhead(writing)
  const writer = kyselyOver(writing, PRAGMAS, 'BEGIN IMMEDIATE', options)
  try {
    await migrate(writer, SQLITE_DDL, options.clock())
  } catch (error) {
    await writer.destroy()
    throw error
  }
  const connection = new DatabaseSync(file, { readOnly: true })
  const reader = kyselyOver(connection, BUSY, 'BEGIN', options)
  return {
    kind: 'sqlite',
    reader,
    view: (work) => reader.transaction().execute(work),
    write: (work) => writer.transaction().execute(work),
    count: (work) => writer.transaction().execute(work),
    close: async () => {
      await reader.destroy()
      await writer.destroy()
    },
  }
}

/** Switches to write-ahead logging. Two that do so at once do not wait for each other in SQLite, so they wait here. */
async function writeAhead(connection: DatabaseSync): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      connection.exec(`${BUSY} PRAGMA journal_mode=WAL;`)
      return
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
      if (!isBusy || tries === MOST_TRIES) throw error
      await sleep(20)
    }
  }
}

function kyselyOver(
  connection: DatabaseSync,
  pragmas: string,
  begin: string,
  options: DatabaseOptions,
): Kysely<Schema> {
  connection.exec(pragmas)
  const dialect: Dialect = {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new SqliteDriver(connection, begin),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Kysely<Schema>({ dialect, plugins: [PARSE_JSON], ...queryLog(options) })
}

/** SQLite rolls DDL back like anything else, so a migration that fails leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One connection, handed to one user at a time: a transaction keeps it until it ends. */
class SqliteDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #connection: SqliteConnection
  readonly #begin: string
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(database: DatabaseSync, begin: string) {
    this.#database = database
    this.#connection = new SqliteConnection(database)
    this.#begin = begin
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const turn = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await turn
    this.#release = resolve
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite ends a transaction by itself on some errors (disk full)
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('ROLLBACK'))
  }

  async destroy(): Promise<void> {
    await this.#last
    this.#database.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    refuseUnstorable(parameters)
    const statement = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    const isWrite = InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query)
    if (!isWrite || query.returning !== undefined) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it, nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not used')
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear()
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
