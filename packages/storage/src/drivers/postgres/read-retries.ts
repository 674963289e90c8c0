import { retry } from '@burgee/kit/retry'
import { Kysely, type KyselyProps } from 'kysely'
import type { Reader, Schema } from '../../database.ts'
import { classifyDbError, isConnectionLost } from '../../errors.ts'

const MAX_CONFLICTS = 4
/** Maximum number of times that a read is repeated on another connection. */
const MAX_LOST_CONNECTIONS = 2
/**
 * Time in milliseconds within which reads are repeated. A read that loses its connection after this time fails, because
 * its caller has waited for long enough.
 */
const RETRY_WITHIN_MS = 10_000

/**
 * Runs a transaction again if the database aborted it because of a deadlock. The retry is safe because the database has
 * rolled the transaction back.
 */
export function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  const isWorthIt = (error: unknown, tries: number): boolean =>
    tries <= MAX_CONFLICTS && classifyDbError(error) === 'conflict'
  return retry(run, { isRetryable: isWorthIt })
}

/**
 * Runs a read again if the database aborted it because of a deadlock, or if its session ended. A session ends when
 * another server becomes the primary, when an administrator ends it, and when a pooler restarts. The next session is
 * connected to the current primary.
 */
export function retryRead<T>(run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const isWorthIt = (error: unknown, tries: number): boolean =>
    tries <= MAX_LOST_CONNECTIONS && isConnectionLost(error) && performance.now() - began < RETRY_WITHIN_MS
  return retry(() => retryConflicts(run), { isRetryable: isWorthIt })
}

/**
 * Creates a handle for single queries, which are repeated under the same conditions as in `retryRead`. Transactions
 * cannot be started with this handle.
 */
export function createRetryingReader({ config, driver, dialect, executor }: KyselyProps): Reader {
  const own = executor.withConnectionProvider({
    provideConnection: (use) => retryRead(() => executor.provideConnection(use)),
  })
  return new Kysely<Schema>({ config, driver, dialect, executor: own })
}
