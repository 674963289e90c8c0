import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Position } from '../../epochs.ts'
import { FIRST_MIGRATIONS } from '../../migrations/before-squash.ts'

const OWNER_ONLY = 0o600
/** SQLite result codes CORRUPT and NOTADB. */
const UNREADABLE = new Set([11, 26])

/**
 * Thrown if a file cannot be used as a backup, or if no backup can be written to a path. In both cases, nothing has
 * been changed.
 */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** State of the database in a backup file: its epoch, last event, and executed migrations. */
export interface BackupContent {
  readonly position: Position
  /** Names of the executed migrations, in order. */
  readonly executed: readonly string[]
}

/**
 * Copies the current state of a database into a new file (0600). A server may write to the database at the same time.
 * The copy has no write-ahead log. The file gets its final name only when it is complete and synced to disk. Returns
 * the state of the database in the copy. Throws BackupRefused if the target exists or the copy is not an intact Burgee
 * database, and also throws errors of SQLite and the file system.
 */
export function copyDatabase(from: string, to: string): BackupContent {
  if (existsSync(to)) throw createTargetExistsError(to)
  const beside = `${to}.partial-${process.pid}`
  const reader = new DatabaseSync(from, { readOnly: true })
  try {
    // VACUUM INTO accepts an existing empty file, but preserves the permissions of that file
    closeSync(openSync(beside, 'wx', OWNER_ONLY))
    reader.exec('PRAGMA busy_timeout=5000;')
    // lets the copy shrink later, even if its source was created before this was supported; skipped if the source
    // already supports it, because the statement would write to the source
    if (reader.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum === 0) reader.exec('PRAGMA auto_vacuum=INCREMENTAL;')
    reader.prepare('VACUUM INTO ?').run(beside)
    syncToDisk(beside)
    const content = readBackup(beside)
    renameWithoutOverwriting(beside, to)
    syncToDisk(dirname(to))
    return content
  } finally {
    reader.close()
    rmSync(beside, { force: true })
  }
}

/** Renames a file. Throws if the target file exists. */
function renameWithoutOverwriting(beside: string, to: string): void {
  try {
    linkSync(beside, to)
    unlinkSync(beside)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST' || existsSync(to)) throw createTargetExistsError(to)
    // the file system does not support hard links
    renameSync(beside, to)
  }
}

function createTargetExistsError(to: string): BackupRefused {
  return new BackupRefused(`${to} already exists: choose another file, or delete it first`)
}

/** Flushes the content of a file, or the entries of a directory, to disk. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Checks a whole backup file, without writing to it. Returns the state of the database that the file contains. Throws
 * BackupRefused if the file is damaged or is not a Burgee database.
 */
export function readBackup(file: string): BackupContent {
  if (!existsSync(file)) throw new BackupRefused(`There is no file ${file}`)
  let reader: DatabaseSync | undefined
  try {
    reader = new DatabaseSync(file, { readOnly: true })
    reader.exec('PRAGMA busy_timeout=5000;')
    const first = String(Object.values(reader.prepare('PRAGMA integrity_check(1)').get() ?? {})[0])
    if (first !== 'ok') throw new BackupRefused(`${file} is damaged (${first.replace(/\s+/g, ' ').trim()})`)
    return readContent(file, reader)
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (!UNREADABLE.has(code)) throw error
    throw new BackupRefused(`${file} is not an intact SQLite database (${(error as Error).message})`, { cause: error })
  } finally {
    reader?.close()
  }
}

function readContent(file: string, reader: DatabaseSync): BackupContent {
  const names = reader.prepare("select name from sqlite_schema where type = 'table'").all()
  const tables = new Set(names.map(({ name }) => name))
  const ran = (): string[] =>
    reader
      .prepare('select name from kysely_migration order by name')
      .all()
      .map(({ name }) => String(name))
  const executed = tables.has('kysely_migration') ? ran() : []
  if (!FIRST_MIGRATIONS.some((name) => executed.includes(name)) || !tables.has('events')) {
    throw new BackupRefused(`${file} is not a backup of Burgee: it has none of its tables`)
  }
  const event = reader.prepare('select id, created_at from events order by id desc limit 1').get()
  const epoch = tables.has('database_epoch')
    ? reader.prepare('select min(epoch) as epoch from database_epoch').get()?.epoch
    : ''
  return {
    executed,
    position: {
      epoch: String(epoch ?? ''),
      id: Number(event?.id ?? 0),
      madeAt: event === undefined ? null : Number(event.created_at),
    },
  }
}

/** Starts a new epoch in a database file. No process may have the file open at the same time. */
export function beginEpoch(file: string): void {
  const writer = new DatabaseSync(file)
  try {
    writer.exec(
      'BEGIN; delete from database_epoch; insert into database_epoch (epoch, origin) values (lower(hex(randomblob(8))), null); COMMIT',
    )
  } finally {
    writer.close()
  }
}
