/**
 * Why the database refused a statement: a value that must be unique, a reference to nothing, a value that no column
 * can hold, a conflict with another transaction after which the same may succeed, a database that is away, full or busy
 * for now, or something else.
 */
export type DbErrorKind = 'unique' | 'reference' | 'unstorable' | 'conflict' | 'unavailable' | 'other'

const KINDS: Readonly<Record<string, DbErrorKind>> = {
  // SQLSTATE of PostgreSQL
  '23505': 'unique',
  '23503': 'reference',
  // NUL in a text, a number too large for its column, a key too long for its index
  '22021': 'unstorable',
  '22003': 'unstorable',
  '54000': 'unstorable',
  // serialization failure, deadlock
  '40001': 'conflict',
  '40P01': 'conflict',
  // disk full, out of memory, too many connections, lock not to be had, statement timeout
  '53100': 'unavailable',
  '53200': 'unavailable',
  '53300': 'unavailable',
  '55P03': 'unavailable',
  '57014': 'unavailable',
  // ended by an administrator, crashed, starting, idle in a transaction for too long, read-only after a failover
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P05': 'unavailable',
  '25P03': 'unavailable',
  '25006': 'unavailable',
  // no connection: of PostgreSQL, and of the system
  '08000': 'unavailable',
  '08001': 'unavailable',
  '08003': 'unavailable',
  '08004': 'unavailable',
  '08006': 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  ENETUNREACH: 'unavailable',
  ENOTFOUND: 'unavailable',
  EAI_AGAIN: 'unavailable',
  EPIPE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  EHOSTDOWN: 'unavailable',
  ENETDOWN: 'unavailable',
  EADDRNOTAVAIL: 'unavailable',
  // no file system to write to, no file handle left
  ENOSPC: 'unavailable',
  EDQUOT: 'unavailable',
  EROFS: 'unavailable',
  EIO: 'unavailable',
  EACCES: 'unavailable',
  EPERM: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
  // extended result codes of SQLite: CONSTRAINT_PRIMARYKEY, _UNIQUE, _FOREIGNKEY
  '1555': 'unique',
  '2067': 'unique',
  '787': 'reference',
}
/** Result codes of SQLite: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE_UNAVAILABLE: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14])
/** What the driver of PostgreSQL throws without a code. */
const WITHOUT_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/**
 * A text with a NUL character, which PostgreSQL cannot hold and where SQLite tools cut it off, or with half of a
 * surrogate pair, which both would replace without a word.
 */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText'
}

/** The file of the database is not any more where it was opened: what is written would be lost. Names the path. */
export class DatabaseGone extends Error {
  override readonly name = 'DatabaseGone'
}

/** The database was not there at the start and has not come yet, or is asked and does not answer in time. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'

  constructor() {
    super('The database is away, or does not answer in time')
  }
}

/** The database cannot do it now: too much waits for it, or a statement took too long. The same may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** Throws UnstorableText when one of the values is such a text. */
export function refuseUnstorable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== 'string') continue
    if (value.includes('\0')) throw new UnstorableText('A text holds a NUL character')
    if (!value.isWellFormed()) throw new UnstorableText('A text holds half of a surrogate pair')
  }
}

/** Classifies an error thrown by a query, on either database. */
export function classifyDbError(error: unknown): DbErrorKind {
  if (error instanceof UnstorableText) return 'unstorable'
  if (error instanceof DatabaseAway || error instanceof DatabaseUnavailable) return 'unavailable'
  if (!(error instanceof Error)) return 'other'
  const { code, errcode, syscall, cause } = error as Error & { code?: unknown; errcode?: unknown; syscall?: unknown }
  // the Unix socket of a PostgreSQL that is stopped
  if (code === 'ENOENT' && syscall === 'connect') return 'unavailable'
  const key = String(errcode ?? code)
  if (Object.hasOwn(KINDS, key)) return KINDS[key] ?? 'other'
  if (typeof errcode === 'number' && SQLITE_UNAVAILABLE.has(errcode & 0xff)) return 'unavailable'
  if (WITHOUT_CONNECTION.test(error.message)) return 'unavailable'
  // a host with several addresses fails with several errors
  const others = error instanceof AggregateError ? error.errors : [cause]
  return others.some((other) => classifyDbError(other) === 'unavailable') ? 'unavailable' : 'other'
}
