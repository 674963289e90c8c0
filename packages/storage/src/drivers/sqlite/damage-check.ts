import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Position } from '../../epochs.ts'
import { classifyDbError } from '../../errors.ts'
import { FIRST_MIGRATIONS } from '../../migrations/before-squash.ts'
import { type CommitMarkerContent, isBeginning } from './commit-marker.ts'
import { findStats, getLogPath } from './data-file.ts'

/** Thrown if the server must not start with a database file. The message describes the damage and how to repair it. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged'
}

/** Paths of the files of an embedded database. */
export interface DataPaths {
  readonly file: string
  readonly marker: string
}

/** State in which a database file was found, before this start writes to it. */
export interface InspectedDatabase extends Position {
  /** Creation time of the event that the commit marker refers to; null if the database does not contain that event. */
  readonly markerEventAt: number | null
}

const HEADER_BYTES = 108
const WRITE_AHEAD = 2
const MIGRATIONS = 'kysely_migration'
/** SQLite result codes CORRUPT and NOTADB. */
const UNREADABLE = new Set([11, 26])

/**
 * Inspects a database file without writing to it. Returns undefined if there is no database file yet. Throws
 * DatabaseDamaged if the file is damaged, or if events are missing that the database contained before.
 */
export function inspectDatabase(
  { file, marker }: DataPaths,
  last: CommitMarkerContent | undefined,
): InspectedDatabase | undefined {
  const isThere = (findStats(file)?.size ?? 0n) > 0n
  if (!isThere && last !== undefined && last.id > 0) {
    throw new DatabaseDamaged(
      `The database ${file} does not exist, but it was at event ${last.id}. Restore it from a backup; ` +
        `to start with an empty one, remove ${marker}.`,
    )
  }
  if (!isThere) return undefined
  if (!isBeginning(last)) requireLog(file)
  const found = readSound(file, last)
  if (last?.isOpen === true && found.markerEventAt !== last.madeAt) {
    throw new DatabaseDamaged(
      `The database ${file} has lost changes: the previous server was not shut down cleanly and had written ` +
        `event ${last.id}, but the last event in the file is ${found.id}. Its log, ${getLogPath(file)}, is missing or belongs to another database. Restore the log, ` +
        `or both files from one backup. To continue with the existing file, for example a restored backup, remove ${marker}.`,
    )
  }
  return found
}

/**
 * Throws if the write-ahead log is missing. All tables of a new database are at first only in its log, so without the
 * log the database would look empty.
 */
function requireLog(file: string): void {
  const header = Buffer.alloc(HEADER_BYTES)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(handle)
  }
  const isWriteAhead = header[18] === WRITE_AHEAD
  // number of cells in the first page, in a header that follows the file header of 100 bytes; source:
  // https://sqlite.org/fileformat2.html
  const hasTables = header.readUInt16BE(103) > 0 || header[100] !== 13
  if (!isWriteAhead || hasTables || (findStats(getLogPath(file))?.size ?? 0n) > 0n) return
  throw new DatabaseDamaged(
    `The database ${file} is empty without its log, and ${getLogPath(file)} is missing. Restore the log, or both files from one ` +
      `backup; if it never contained data, remove ${file}.`,
  )
}

/**
 * Throws the error of SQLite if another program has locked the file. Does not wait. Must run after `inspectDatabase`,
 * because opening the file for writing can remove its log.
 */
export function requireUnlocked(file: string, by: 'readers' | 'writers'): void {
  if (findStats(file) === undefined) return
  const connection = new DatabaseSync(file, { readOnly: by === 'readers' })
  try {
    connection.exec(by === 'readers' ? 'SELECT 1 FROM sqlite_schema LIMIT 1' : 'BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    // the full inspection reports any other problem
    if (classifyDbError(error) === 'unavailable') throw error
  } finally {
    connection.close()
  }
}

function readSound(file: string, last: CommitMarkerContent | undefined): InspectedDatabase {
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(file, { readOnly: true })
    connection.exec('PRAGMA busy_timeout=5000;')
    const first = Object.values(connection.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
    if (first !== 'ok') throw createDamagedError(file, String(first))
    return readState(connection, last)
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
    if (code !== undefined && UNREADABLE.has(code)) throw createDamagedError(file, (error as Error).message)
    throw error
  } finally {
    connection?.close()
  }
}

function createDamagedError(file: string, reason: string): DatabaseDamaged {
  return new DatabaseDamaged(
    `The database ${file} of the data directory (DATA_DIR, --data-dir) is damaged ` +
      `(${reason.replace(/\s+/g, ' ').trim()}). Nothing was changed. Restore it from a backup, or recover what can be ` +
      `recovered: sqlite3 ${file} .recover | sqlite3 saved.sqlite`,
  )
}

function readState(connection: DatabaseSync, last: CommitMarkerContent | undefined): InspectedDatabase {
  const tables = new Set(
    connection
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name),
  )
  const prepared = (statement: string) => connection.prepare(statement)
  // a database of another program can have tables with the same names
  const isOurs =
    tables.has(MIGRATIONS) &&
    prepared(`select name from ${MIGRATIONS} where name in (?, ?)`).get(...FIRST_MIGRATIONS) !== undefined
  const one = (table: string, statement: string, ...values: number[]) =>
    isOurs && tables.has(table) ? prepared(statement).get(...values) : undefined
  const event = one('events', 'select id, created_at from events order by id desc limit 1')
  const witnessed = one('events', 'select created_at from events where id = ?', last?.id ?? 0)
  return {
    epoch: String(one('database_epoch', 'select min(epoch) as epoch from database_epoch')?.epoch ?? ''),
    id: Number(event?.id ?? 0),
    madeAt: event === undefined ? null : Number(event.created_at),
    markerEventAt: witnessed === undefined ? null : Number(witnessed.created_at),
  }
}

/**
 * Describes how a database differs from its last known state: it is a different file, or events are missing. Returns
 * undefined if there is no difference.
 */
export function describeDifference(
  last: CommitMarkerContent | undefined,
  found: InspectedDatabase,
  identity: string,
): string | undefined {
  if (last === undefined || isBeginning(last))
    return found.id > 0 && found.epoch !== '' ? 'no commit marker shows its last event' : undefined
  if (found.epoch !== last.epoch) return 'it is a different database'
  if (found.markerEventAt !== last.madeAt) return `it was at event ${last.id} and is at event ${found.id}`
  return identity === last.identity ? undefined : 'its file is a different one'
}
