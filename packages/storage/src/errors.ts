import { classifySqlState, type SqlStateClass } from './drivers/postgres/sqlstates.ts'

/**
 * Reason why the database rejected a statement. `unique`: a value that must be unique already exists. `reference`: the
 * row that a value refers to does not exist. `unstorable`: a value that no column can hold. `conflict`: a transaction
 * conflict, after which a retry may succeed. `unavailable`: the database is down, full or busy. `denied`: the database
 * denies access to the user with which this program logs in. `other`: any other error.
 */
export const DB_ERROR_KINDS = [
  'unique',
  'reference',
  'unstorable',
  'conflict',
  'unavailable',
  'denied',
  'other',
] as const

/** Kind of a database error. */
export type DbErrorKind = (typeof DB_ERROR_KINDS)[number]

/**
 * Kind of an error, with details. For a temporary error or a denial, also contains the reason, which callers may see.
 */
type ErrorMeaning = readonly [kind: DbErrorKind, reason?: string]

const FULL: ErrorMeaning = ['unavailable', 'it has no room left']
const BUSY: ErrorMeaning = ['unavailable', 'it is busy: a statement took too long']
const LOCKED: ErrorMeaning = ['unavailable', 'it is busy: another session holds a lock for too long']
const ENDED: ErrorMeaning = ['unavailable', 'it is starting or stopping, or has ended the connection']
const UNREACHABLE: ErrorMeaning = ['unavailable', 'it cannot be reached']
const UNWRITABLE: ErrorMeaning = ['unavailable', 'its files cannot be read or written']
const LOCKED_OUT: ErrorMeaning = ['denied', 'it rejects the user or the password']
const READ_ONLY: ErrorMeaning = ['unavailable', 'it is read-only']
const UNTRUSTED: ErrorMeaning = ['denied', 'TLS with it fails: a certificate or key is not accepted']

/** Meaning of each class of SQLSTATEs. Undefined for classes that only the driver code handles itself. */
const MEANINGS: Readonly<Record<SqlStateClass, ErrorMeaning | undefined>> = {
  'unique violation': ['unique'],
  'foreign key violation': ['reference'],
  'unstorable value': ['unstorable'],
  'transaction conflict': ['conflict'],
  unsupported: undefined,
  'unknown statement': undefined,
  'undefined function': undefined,
  'missing right': ['denied', 'its user lacks a required privilege'],
  'login refused': LOCKED_OUT,
  'missing database': ['denied', 'the database does not exist'],
  'missing table': ['unavailable', 'its tables are missing or are being replaced'],
  'connection lost': UNREACHABLE,
  'connection ended': ENDED,
  'too many connections': ['unavailable', 'it has no connection left'],
  'disk full': FULL,
  'out of memory': ['unavailable', 'it has no memory left'],
  'out of resources': ['unavailable', 'it has reached a limit of its configuration'],
  'file error': UNWRITABLE,
  'damaged files': ['unavailable', 'its files are damaged'],
  'not ready': ['unavailable', 'it accepts no connections, or is not ready'],
  'lock timeout': LOCKED,
  timeout: BUSY,
  'read-only': READ_ONLY,
}

/** Meaning of system error codes and extended SQLite result codes. */
const CODES: Readonly<Record<string, ErrorMeaning>> = {
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  ECONNABORTED: UNREACHABLE,
  ENOTCONN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EPIPE: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  // disk full, file system read-only, too many open files
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: UNWRITABLE,
  EIO: UNWRITABLE,
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  EMFILE: UNWRITABLE,
  ENFILE: UNWRITABLE,
  // CONSTRAINT_PRIMARYKEY, _UNIQUE, _FOREIGNKEY
  '1555': ['unique'],
  '2067': ['unique'],
  '787': ['reference'],
}
const SQLITE_LOCKED: ErrorMeaning = ['unavailable', 'it is busy: another process or connection holds its lock']
/** Meaning of the SQLite result codes BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN. */
const SQLITE_CODES: ReadonlyMap<number, ErrorMeaning> = new Map([
  [5, SQLITE_LOCKED],
  [6, SQLITE_LOCKED],
  [8, READ_ONLY],
  [10, UNWRITABLE],
  [13, FULL],
  [14, UNWRITABLE],
])
/** Messages of PostgreSQL driver errors that have no code. */
const WITHOUT_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|This socket has been ended|No sign of life)/

/** Codes with which OpenSSL and Node.js report problems with certificates. */
const TLS_CODE = /^(ERR_(SSL|TLS|OSSL)_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$|INVALID_CA$)/
const WITHOUT_TLS = /^(The server does not support SSL connections|There was an error establishing an SSL connection)/
/** Message of the driver if PostgreSQL requires a password but none is configured. */
const WITHOUT_PASSWORD = /^SASL: .*client password must be/

/**
 * Thrown for text that a database could not store unchanged. PostgreSQL rejects NUL characters, and SQLite tools
 * truncate text at a NUL character. Both databases would silently replace a surrogate that is not part of a pair.
 */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText'
}

/**
 * Thrown if the database file was removed or replaced after it was opened. Writes to the removed file would be lost.
 * The error message contains the path.
 */
export class DatabaseGone extends Error {
  override readonly name = 'DatabaseGone'
}

/** Thrown if the database has not been reachable since the server started, or if it does not respond in time. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable'

  /** @param cause reason why the last attempt failed */
  constructor(cause?: unknown) {
    super('The database is unavailable or does not respond in time', { cause })
  }
}

/**
 * Thrown if the database is overloaded for the moment: too many callers are waiting for it, or a statement took too
 * long. A retry may succeed.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
}

/** Throws UnstorableText if one of the values cannot be stored as text. */
export function requireStorable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== 'string') continue
    if (value.includes('\0')) throw new UnstorableText('A string contains a NUL character')
    if (!value.isWellFormed()) throw new UnstorableText('A string contains an unpaired surrogate')
  }
}

/** Classifies an error that a query threw, on either database. */
export function classifyDbError(error: unknown): DbErrorKind {
  if (error instanceof UnstorableText) return 'unstorable'
  if (error instanceof DatabaseUnreachable || error instanceof DatabaseUnavailable) return 'unavailable'
  if (!(error instanceof Error)) return 'other'
  const kind = findMeaning(error)?.[0]
  if (kind !== undefined) return kind
  const kinds = getCauses(error).map(classifyDbError)
  return kinds.find((other) => other === 'unavailable' || other === 'denied') ?? 'other'
}

/**
 * Returns an explanation for an error of the kind 'unavailable' or 'denied'. This explanation contains no addresses or
 * names, so it may be shown to anyone.
 */
export function explainDbError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DatabaseUnavailable) return error.message
  const reason = findMeaning(error)?.[1]
  if (reason !== undefined) return reason
  for (const other of getCauses(error)) {
    const explained = explainDbError(other)
    if (explained !== undefined) return explained
  }
  return error instanceof DatabaseUnreachable ? 'it is unavailable or does not respond in time' : undefined
}

/** Formats a database error as one line for the log, with its message and code. */
export function formatDbError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  const others = error instanceof AggregateError ? error.errors.map(formatDbError).join('; ') : ''
  const text = error.message === '' ? others : error.message
  const reason =
    error instanceof DatabaseUnreachable && error.cause !== undefined ? `: ${formatDbError(error.cause)}` : ''
  return code === undefined ? `${text}${reason}` : `${text} (${String(code)})${reason}`
}

/**
 * Returns true if an error means that the connection was lost. Work that had not started yet can then be retried on
 * another connection.
 */
export function isConnectionLost(error: unknown): boolean {
  const meaning = error instanceof Error ? findMeaning(error) : undefined
  return meaning === UNREACHABLE || meaning === ENDED
}

/**
 * Returns true if an error means that another session held a lock for too long. Other changes would have to wait for
 * the same lock.
 */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && findMeaning(error) === LOCKED
}

function findMeaning(error: Error): ErrorMeaning | undefined {
  const { code, errcode, syscall } = error as Error & { code?: unknown; errcode?: unknown; syscall?: unknown }
  // the Unix socket of a PostgreSQL server that is not running
  if (code === 'ENOENT' && syscall === 'connect') return UNREACHABLE
  const byState = classifySqlState(code)
  if (byState !== undefined) return MEANINGS[byState]
  const key = String(errcode ?? code)
  if (Object.hasOwn(CODES, key)) return CODES[key]
  const bySqlite = typeof errcode === 'number' ? SQLITE_CODES.get(errcode & 0xff) : undefined
  if (bySqlite !== undefined) return bySqlite
  if (TLS_CODE.test(key) || WITHOUT_TLS.test(error.message)) return UNTRUSTED
  if (WITHOUT_PASSWORD.test(error.message)) return LOCKED_OUT
  return WITHOUT_CONNECTION.test(error.message) ? UNREACHABLE : undefined
}

/**
 * Returns the individual errors that an error combines. If a host has several addresses, there is one error for each
 * address.
 */
function getCauses(error: Error): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [error.cause]
}
