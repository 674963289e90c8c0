/**
 * Why the database refused a statement: a value that must be unique, a reference to nothing, a value that no column
 * can hold, a conflict with another transaction after which the same may succeed, a database that is away, full or busy
 * for now, one that does not let its user in or write, or something else.
 */
export type DbErrorKind = 'unique' | 'reference' | 'unstorable' | 'conflict' | 'unavailable' | 'denied' | 'other'

/** What a code means: its kind, and for the kinds that pass, what callers are told. */
type Meaning = readonly [kind: DbErrorKind, reason?: string]

const FULL: Meaning = ['unavailable', 'it has no room left']
const BUSY: Meaning = ['unavailable', 'it is busy: a lock or a statement took too long']
const ENDED: Meaning = ['unavailable', 'it is starting or stopping, or has ended the connection']
const AWAY: Meaning = ['unavailable', 'it cannot be reached']
const UNWRITABLE: Meaning = ['unavailable', 'its files cannot be read or written']
const LOCKED_OUT: Meaning = ['denied', 'it refuses the user or the password']

/** All codes that are told apart: SQLSTATEs of PostgreSQL, names of errors of the system, result codes of SQLite. */
const CODES: Readonly<Record<string, Meaning>> = {
  '23505': ['unique'],
  '23503': ['reference'],
  // NUL in a text, a number too large for its column, a key too long for its index
  '22021': ['unstorable'],
  '22003': ['unstorable'],
  '54000': ['unstorable'],
  // serialization failure, deadlock
  '40001': ['conflict'],
  '40P01': ['conflict'],
  // disk full, out of memory
  '53100': FULL,
  '53200': ['unavailable', 'it has no memory left'],
  '53300': ['unavailable', 'it has no connection left'],
  // lock not to be had, statement timeout
  '55P03': BUSY,
  '57014': BUSY,
  // ended by an administrator, crashed, starting, idle for too long
  '57P01': ENDED,
  '57P02': ENDED,
  '57P03': ENDED,
  '57P05': ENDED,
  '25P03': ENDED,
  // a standby, or default_transaction_read_only
  '25006': ['unavailable', 'it is read-only'],
  // connection exceptions: of PostgreSQL, and of poolers
  '08000': AWAY,
  '08001': AWAY,
  '08003': AWAY,
  '08004': AWAY,
  '08006': AWAY,
  '08P01': AWAY,
  // no such user, wrong password, no right, no such database, no such schema
  '28000': LOCKED_OUT,
  '28P01': LOCKED_OUT,
  '42501': ['denied', 'its user lacks a right that is needed'],
  '3D000': ['denied', 'there is no database of that name'],
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  EHOSTUNREACH: AWAY,
  ENETUNREACH: AWAY,
  ENOTFOUND: AWAY,
  EAI_AGAIN: AWAY,
  EPIPE: AWAY,
  ETIMEDOUT: AWAY,
  EHOSTDOWN: AWAY,
  ENETDOWN: AWAY,
  EADDRNOTAVAIL: AWAY,
  // no file system to write to, no file handle left
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: UNWRITABLE,
  EIO: UNWRITABLE,
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  EMFILE: UNWRITABLE,
  ENFILE: UNWRITABLE,
  // extended result codes of SQLite: CONSTRAINT_PRIMARYKEY, _UNIQUE, _FOREIGNKEY
  '1555': ['unique'],
  '2067': ['unique'],
  '787': ['reference'],
}
/** Result codes of SQLite: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE_UNAVAILABLE: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14])
/** What the driver of PostgreSQL throws without a code. */
const WITHOUT_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|This socket has been ended|No sign of life)/

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

  /** @param cause why it was not reached at the last try */
  constructor(cause?: unknown) {
    super('The database is away, or does not answer in time', { cause })
  }
}

/** The database cannot do it now: too much waits for it, or a statement took too long. The same may succeed later. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
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
  const kind = meaningOf(error)?.[0]
  if (kind !== undefined) return kind
  const kinds = behind(error).map(classifyDbError)
  return kinds.find((other) => other === 'unavailable' || other === 'denied') ?? 'other'
}

/** What is wrong with a database that is 'unavailable' or 'denied', for anybody to read: no address, no name. */
export function explainDbError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DatabaseUnavailable) return error.message
  const reason = meaningOf(error)?.[1]
  if (reason !== undefined) return reason
  for (const other of behind(error)) {
    const explained = explainDbError(other)
    if (explained !== undefined) return explained
  }
  return error instanceof DatabaseAway ? 'it is away, or does not answer in time' : undefined
}

/** The error in one line, for the log: what the database said, and its code. */
export function dbErrorLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  const others = error instanceof AggregateError ? error.errors.map(dbErrorLine).join('; ') : ''
  const said = error.message === '' ? others : error.message
  const reason = error instanceof DatabaseAway && error.cause !== undefined ? `: ${dbErrorLine(error.cause)}` : ''
  return code === undefined ? `${said}${reason}` : `${said} (${String(code)})${reason}`
}

/** True if the connection has broken, so that what was not begun on it may be begun on another one. */
export function isConnectionLost(error: unknown): boolean {
  const meaning = error instanceof Error ? meaningOf(error) : undefined
  return meaning === AWAY || meaning === ENDED
}

function meaningOf(error: Error): Meaning | undefined {
  const { code, errcode, syscall } = error as Error & { code?: unknown; errcode?: unknown; syscall?: unknown }
  // the Unix socket of a PostgreSQL that is stopped
  if (code === 'ENOENT' && syscall === 'connect') return AWAY
  const key = String(errcode ?? code)
  if (Object.hasOwn(CODES, key)) return CODES[key]
  if (typeof errcode === 'number' && SQLITE_UNAVAILABLE.has(errcode & 0xff))
    return ['unavailable', 'it is busy or full']
  return WITHOUT_CONNECTION.test(error.message) ? AWAY : undefined
}

/** A host with several addresses fails with several errors. */
function behind(error: Error): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [error.cause]
}
