/** Takes the lock that changes of all nodes share, until the end of the transaction. */
export const WRITER_LOCK_TEXT = 'select pg_advisory_xact_lock(1112888903, 1)'
