/**
 * Maximum time in milliseconds that a change waits for a table or row that another session has locked. Much shorter
 * than the time limit of a statement, because all later changes wait at the same time.
 */
const MAX_LOCK_WAIT_MS = 5000

/**
 * Statement that limits how long the current transaction waits for locks. Sent after the writer lock has been taken,
 * because nodes may wait longer for that lock.
 */
export const LIMIT_LOCK_WAIT_TEXT = `set local lock_timeout = ${MAX_LOCK_WAIT_MS}`

/** Takes the lock that the changes of all nodes share, and holds it until the transaction ends. */
export const WRITER_LOCK_TEXT = 'select pg_advisory_xact_lock(1112888903, 1)'
