import { open } from 'node:fs/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { BoundedCache } from '@burgee/kit/bounded-cache'
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
  sql,
  UpdateQueryNode,
} from 'kysely'
import type { Database, DatabaseOptions, Schema, Tx } from '../database.ts'
import { SQLITE_DDL } from '../ddl.ts'
import type { Mark } from '../epochs.ts'
import { refuseUnstorable } from '../errors.ts'
import { PARSE_JSON } from '../json-columns.ts'
import { migrate, requireTables } from '../migrations.ts'
import { queryLog } from '../query-log.ts'
import { DataFile, statOf } from './data-file.ts'

const BUSY = 'PRAGMA busy_timeout=5000;'
const PRAGMAS = `${BUSY} PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;`
const SQLITE_BUSY = 5
const MOST_TRIES = 100
const MOST_STATEMENTS = 500
const OWNER_ONLY = 0o600
/** A quarter of a megabyte. */
const PAGES_AT_ONCE = 64
const LAST = 'from events order by id desc limit 1'
/** A mark, by a statement that nobody counts. */
const MARK = `select (select min(epoch) from database_epoch) as epoch, (select id ${LAST}) as id, (select created_at ${LAST}) as madeAt`

/** What an embedded database may be given besides. */
export interface SqliteOptions extends DatabaseOptions {
  /** Hears after each commit, before whoever asked for it, what the database holds then. Must not throw. */
  readonly onCommit?: ((now: Mark) => void) | undefined
}

/**
 * Opens (and creates) the database in `file` and brings its tables up to date. One connection writes, another one,
 * opened read-only, reads: a write outside a transaction of `write` or `count` fails in SQLite itself. Writes throw
 * DatabaseGone where the file is not any more where it was.
 */
export async function openSqlite(file: string, options: SqliteOptions): Promise<Database> {
  // made before SQLite makes it, and its log files get the same mode
  await (await open(file, 'a', OWNER_ONLY)).close()
  const writing = new DatabaseSync(file)
  // only at the beginning: a file with tables stays as it is
  if ((statOf(file)?.size ?? 0n) === 0n) writing.exec(`${BUSY} PRAGMA auto_vacuum=INCREMENTAL;`)
  await writeAhead(writing)
  const commits = new Commits(writing, options)
  const writer = kyselyOver(writing, PRAGMAS, { begin: 'BEGIN IMMEDIATE', commits }, options)
  try {
    if (options.asGuest === true) await requireTables(writer, SQLITE_DDL)
    else await migrate(writer, SQLITE_DDL, options)
  } catch (error) {
    await writer.destroy()
    throw error
  }
  const dataFile = commits.watch(file)
  const connection = new DatabaseSync(file, { readOnly: true })
  const reader = kyselyOver(connection, BUSY, { begin: 'BEGIN' }, options)
  return {
    kind: 'sqlite',
    reader,
    renewEpoch: async (tx) => {
      await tx.deleteFrom('database_epoch').execute()
      await tx.insertInto('database_epoch').values({ epoch: SQLITE_DDL.dice, origin: null }).execute()
    },
    requirePresent: () => dataFile.requirePresent(),
    reclaim: () => writer.transaction().execute(reclaim),
    view: (work) => reader.transaction().execute(work),
    write: (work) => writer.transaction().execute(work),
    count: (work) => writer.transaction().execute(work),
    close: async () => {
      await reader.destroy()
      await writer.destroy()
    },
  }
}

/** Gives pages without rows back to the file system; none where the file was made before it could. */
async function reclaim(tx: Tx): Promise<boolean> {
  const count = sql<{ freelist_count: number }>`PRAGMA freelist_count`
  const { rows } = await count.execute(tx)
  const before = rows[0]?.freelist_count ?? 0
  if (before === 0) return false
  await sql`PRAGMA incremental_vacuum(${sql.lit(PAGES_AT_ONCE)})`.execute(tx)
  const after = (await count.execute(tx)).rows[0]?.freelist_count ?? 0
  return after > 0 && after < before
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

/** What is made sure of around each commit, from `watch` on. */
class Commits {
  readonly #database: DatabaseSync
  readonly #onCommit: SqliteOptions['onCommit']
  #dataFile: DataFile | undefined
  #mark: StatementSync | undefined

  constructor(database: DatabaseSync, { onCommit }: SqliteOptions) {
    this.#database = database
    this.#onCommit = onCommit
  }

  /** The tables are there now. */
  watch(file: string): DataFile {
    this.#dataFile = new DataFile(file)
    this.#mark = this.#database.prepare(MARK)
    return this.#dataFile
  }

  before(): void {
    this.#dataFile?.requirePresent()
  }

  after(): void {
    // gone in this very moment: whoever asked must not believe that it is kept
    this.#dataFile?.requirePresent()
    const row = this.#mark?.get() as unknown as Mark | undefined
    if (row !== undefined) this.#onCommit?.({ epoch: row.epoch ?? '', id: row.id ?? 0, madeAt: row.madeAt })
  }
}

/** How transactions of a connection begin, and what is made sure of where they write. */
interface Transactions {
  readonly begin: string
  readonly commits?: Commits
}

function kyselyOver(
  connection: DatabaseSync,
  pragmas: string,
  transactions: Transactions,
  options: DatabaseOptions,
): Kysely<Schema> {
  connection.exec(pragmas)
  const dialect: Dialect = {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new SqliteDriver(connection, transactions),
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
  readonly #transactions: Transactions
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(database: DatabaseSync, transactions: Transactions) {
    this.#database = database
    this.#connection = new SqliteConnection(database)
    this.#transactions = transactions
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
    await connection.executeQuery(CompiledQuery.raw(this.#transactions.begin))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { commits } = this.#transactions
    commits?.before()
    await connection.executeQuery(CompiledQuery.raw('COMMIT'))
    commits?.after()
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
  readonly #statements = new BoundedCache<StatementSync>({ entries: MOST_STATEMENTS })

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
    const known = this.#statements.peek(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
