import { open } from 'node:fs/promises'
import { Kysely, type KyselyConfig, sql } from 'kysely'
import { runView, type ViewDialect } from '../../connection-transactions.ts'
import type { Database, DatabaseOptions, PoolState, Schema, ThreadMemory, Tx } from '../../database.ts'
import { SQLITE_DDL } from '../../ddl.ts'
import type { Position } from '../../epochs.ts'
import { Leases } from '../../leases.ts'
import { migrate, requireTables } from '../../migrations.ts'
import { createQueryLog } from '../../query-log.ts'
import { ChangeQueue } from '../../transactions/change-queue.ts'
import type { BatchDialect } from '../../transactions/commit-batch.ts'
import { DataFile } from './data-file.ts'
import { type ConnectionConfig, SqliteDriver, sqliteDialect } from './sqlite-driver.ts'
import { SqliteThread } from './sqlite-thread.ts'

const OWNER_ONLY = 0o600
/** Number of pages that are returned to the file system in one step: a quarter of a megabyte. */
const PAGES_PER_RECLAIM = 64
/** Number of connections used for reading. There are several, so that one slow read does not block the others. */
const READERS = 2
/** Number of connections used for slow reads. Slow reads therefore run one after another. */
const SCANNERS = 1
const STATEMENT_MS = 30_000
const NO_LIMIT = Number.POSITIVE_INFINITY

/** Options that only an embedded database has. */
export interface SqliteOptions extends DatabaseOptions {
  /**
   * Called after each commit with the new state of the database, before the commit's promise resolves. Must not throw.
   */
  readonly onCommit?: ((now: Position) => void) | undefined
  /** Time limit for a read, in milliseconds; 30 seconds by default, as on PostgreSQL. */
  readonly statementMs?: number | undefined
}

/**
 * Opens the database in `file`. Creates a missing file, and migrates the tables. One connection writes. Only one
 * connection can write; all others are read-only, so that SQLite itself rejects a write outside of `write` and `count`.
 * Each connection runs on its own thread. Writes throw DatabaseGone if the file was removed or replaced.
 */
export async function openSqlite(file: string, options: SqliteOptions): Promise<Database> {
  // create the file before SQLite does, so that it gets private permissions, and its logs too
  await (await open(file, 'a', OWNER_ONLY)).close()
  const first = await SqliteThread.open(file, true)
  let dataFile: DataFile | undefined
  let threads: readonly SqliteThread[] = [first]
  const openThread = async (isWriter: boolean) => {
    const thread = await SqliteThread.open(file, isWriter)
    threads = [...threads.filter(({ isAlive }) => isAlive), thread]
    // by now, another file may be at the path
    dataFile?.requirePresent()
    if (isWriter) await thread.run({ kind: 'watch' })
    return thread
  }
  const writers = new Leases({ max: 1, open: () => openThread(true) }, [first])
  const committed: ConnectionConfig['onCommit'] = ({ epoch, id, madeAt }) =>
    options.onCommit?.({ epoch: epoch ?? '', id: id ?? 0, madeAt })
  const writing = createWriter({ threads: writers, isWriter: true, limitMs: NO_LIMIT, onCommit: committed }, options)
  const writer = writing.db
  const changes = new ChangeQueue(writing, options)
  try {
    if (options.asGuest === true) await requireTables(writer, SQLITE_DDL)
    else await migrate(writer, SQLITE_DDL, options)
    await first.run({ kind: 'watch' })
    dataFile = new DataFile(file)
  } catch (error) {
    await writer.destroy()
    throw error
  }
  const present = dataFile
  const readers = new Leases({ max: READERS, open: () => openThread(false) }, [await openThread(false)])
  const scanners = new Leases({ max: SCANNERS, open: () => openThread(false) })
  const reading = { isWriter: false, limitMs: options.statementMs ?? STATEMENT_MS }
  const viewing = createHandle({ ...reading, threads: readers }, options)
  const scanning = createHandle({ ...reading, threads: scanners }, options)
  const reader = viewing.db
  const pools = { writing: writers, reading: readers, scanning: scanners }
  return {
    kind: 'sqlite',
    reader,
    renewEpoch: async (tx) => {
      await tx.deleteFrom('database_epoch').execute()
      await tx.insertInto('database_epoch').values({ epoch: SQLITE_DDL.randomHex, origin: null }).execute()
    },
    requirePresent: () => present.requirePresent(),
    reclaim: async () => {
      const isMore = await writer.transaction().execute(reclaim)
      // the freed pages are still in the log
      if (!isMore) await writers.lend((thread) => thread.run({ kind: 'truncate-log' }))
      return isMore
    },
    view: (work) => runView(viewing, work),
    scan: (work) => runView(scanning, work),
    write: (work, ahead) => changes.write(work, ahead),
    count: (work) => writer.transaction().execute(work),
    pools: () => Object.entries(pools).map(([pool, { state }]) => ({ pool: pool as PoolState['pool'], ...state })),
    threadMemory: () => sumMemory(threads),
    close: async () => {
      await changes.idle()
      // the connection that closes last deletes the log, which a read-only connection cannot do
      await Promise.all([reader.destroy(), scanning.db.destroy()])
      await writer.destroy()
    },
  }
}

function sumMemory(threads: readonly SqliteThread[]): ThreadMemory {
  const alive = threads.filter(({ isAlive }) => isAlive).map(({ memory }) => memory)
  const sum = (kind: keyof ThreadMemory) => alive.reduce((all, memory) => all + memory[kind], 0)
  return { statements: sum('statements'), heap: sum('heap') }
}

/**
 * Returns free pages to the file system. Does nothing if the file was created by an older version, whose files cannot
 * return pages.
 */
async function reclaim(tx: Tx): Promise<boolean> {
  const count = sql<{ freelist_count: number }>`PRAGMA freelist_count`
  const { rows } = await count.execute(tx)
  const before = rows[0]?.freelist_count ?? 0
  if (before === 0) return false
  await sql`PRAGMA incremental_vacuum(${sql.lit(PAGES_PER_RECLAIM)})`.execute(tx)
  const after = (await count.execute(tx)).rows[0]?.freelist_count ?? 0
  return after > 0 && after < before
}

/**
 * Query handle on the connections for one purpose. The handle also determines how transactions on these connections
 * begin and end.
 */
interface SqliteHandle extends ViewDialect {
  readonly db: Kysely<Schema>
  readonly rollback: BatchDialect['rollback']
}

function createHandle(purpose: ConnectionConfig, options: DatabaseOptions): SqliteHandle {
  const driver = new SqliteDriver(purpose)
  const dialect = sqliteDialect(driver)
  const config: KyselyConfig = { dialect, ...createQueryLog(options) }
  const db = new Kysely<Schema>(config)
  return {
    db,
    config,
    driver,
    dialect,
    executor: db.getExecutor(),
    begin: (connection) => driver.beginTransaction(connection),
    end: (connection) => driver.commitTransaction(connection),
    rollback: (connection) => driver.rollbackTransaction(connection),
  }
}

/** Creates the handle that writes changes. */
function createWriter(purpose: ConnectionConfig, options: DatabaseOptions): BatchDialect & Pick<SqliteHandle, 'db'> {
  const { end, ...handle } = createHandle(purpose, options)
  return { ...handle, commit: end }
}
