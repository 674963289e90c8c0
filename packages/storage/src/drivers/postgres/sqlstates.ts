/** Meaning of each SQLSTATE for the sender of the statement. */
export type SqlStateClass =
  | 'unique violation'
  | 'foreign key violation'
  | 'unstorable value'
  | 'transaction conflict'
  | 'unsupported'
  | 'unknown statement'
  | 'undefined function'
  | 'missing right'
  | 'login refused'
  | 'missing database'
  | 'missing table'
  | 'connection lost'
  | 'connection ended'
  | 'too many connections'
  | 'disk full'
  | 'out of memory'
  | 'out of resources'
  | 'file error'
  | 'damaged files'
  | 'not ready'
  | 'lock timeout'
  | 'timeout'
  | 'read-only'

/**
 * SQLSTATEs by class. SQLSTATE codes appear nowhere else in the code. An entry of five characters stands for a single
 * code. An entry of two characters stands for all codes that begin with them and have no entry of their own. Source:
 * PostgreSQL, appendix "Error Codes".
 */
const CODES: Readonly<Record<SqlStateClass, readonly string[]>> = {
  'unique violation': ['23505'],
  'foreign key violation': ['23503'],
  // a NUL character in text, a number too large for its column, a key too long for its index
  'unstorable value': ['22021', '22003', '54000'],
  // serialization failure, deadlock
  'transaction conflict': ['40001', '40P01'],
  // a function about the cluster that a service hides; a plan for columns that have since changed
  unsupported: ['0A000'],
  'unknown statement': ['26000'],
  'undefined function': ['42883'],
  'missing right': ['42501'],
  'login refused': ['28'],
  'missing database': ['3D000', '57P04'],
  // the table was dropped, or was replaced by a restore
  'missing table': ['42P01', '3F000'],
  // connection exceptions, from PostgreSQL or from a pooler
  'connection lost': ['08'],
  // idle in a transaction for too long, transaction too long, ended by an administrator, crashed, starting up, idle for
  // too long
  'connection ended': ['25P03', '25P04', '57P01', '57P02', '57P03', '57P05'],
  'too many connections': ['53300'],
  'disk full': ['53100'],
  'out of memory': ['53200'],
  'out of resources': ['53'],
  'file error': ['58'],
  // data, index
  'damaged files': ['XX001', 'XX002'],
  // a database that accepts no connections, or an object that is being used
  'not ready': ['55000', '55006'],
  'lock timeout': ['55P03'],
  // statement cancelled
  timeout: ['57014'],
  'read-only': ['25006'],
}

const SQLSTATE = /^[0-9A-Z]{5}$/
const CLASSES: ReadonlyMap<string, SqlStateClass> = new Map(
  Object.entries(CODES).flatMap(([name, codes]) => codes.map((code) => [code, name as SqlStateClass] as const)),
)

/**
 * Returns the meaning of a SQLSTATE. Returns undefined if the table has no entry for the code, or if the string is not
 * a SQLSTATE.
 */
export function classifySqlState(code: unknown): SqlStateClass | undefined {
  if (typeof code !== 'string' || !SQLSTATE.test(code)) return undefined
  return CLASSES.get(code) ?? CLASSES.get(code.slice(0, 2))
}

/**
 * Returns the meaning of an error that the driver throws. Returns undefined if the error has no SQLSTATE, or one that
 * is not in the table.
 */
export function classifyDriverError(error: unknown): SqlStateClass | undefined {
  return error instanceof Error && 'code' in error ? classifySqlState(error.code) : undefined
}

/** SQLSTATE that marks a transaction as retriable, for errors that occur before the database is reached. */
export const [RUN_AGAIN = ''] = CODES['transaction conflict']
