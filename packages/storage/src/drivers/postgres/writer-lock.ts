/**
 * Maximum time in milliseconds that a change waits for a table or row that another session has locked. The time is much
 * shorter than the time limit of a statement, because later changes wait as well.
 */
const MAX_LOCK_WAIT_MS = 5000

/**
 * Statement that limits how long the transaction waits for locks. The statement is sent after the writer lock is taken,
 * because nodes may wait longer for the writer lock.
 */
export const LIMIT_LOCK_WAIT_TEXT = `set local lock_timeout = ${MAX_LOCK_WAIT_MS}`

/** Takes the lock that changes of all nodes share, until the end of the transaction. */
export const WRITER_LOCK_TEXT = 'select pg_advisory_xact_lock(1112888903, 1)'
