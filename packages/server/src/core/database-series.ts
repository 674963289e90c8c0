import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { Database, QueryOutcome } from '@burgee/storage/database'
import { classifyDbError, DB_ERROR_KINDS } from '@burgee/storage/errors'
import type { DatabaseContact } from '../delivery/events/database-contact.ts'

const MS_PER_SECOND = 1000
const QUERY_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Adds metrics of queries, and returns a function that records one. */
export function countQueries(registry: SeriesRegistry): (outcome: QueryOutcome) => void {
  const queries = registry.histogram(
    'burgee_database_query_duration_seconds',
    'Duration of database queries.',
    QUERY_SECONDS,
  )
  registry.alias('db_query_duration_seconds', 'Duration of database queries.', 'burgee_database_query_duration_seconds')
  const failures = registry.counterFromZero(
    'burgee_database_query_errors_total',
    'Failed database queries by kind.',
    DB_ERROR_KINDS.map((kind) => ({ kind })),
  )
  return ({ durationMs, error }) => {
    queries.observe(durationMs / MS_PER_SECOND)
    if (error !== undefined) failures.add(1, { kind: classifyDbError(error) })
  }
}

/** Adds metrics about the PostgreSQL server in use: whether it answers as primary and accepts writes. */
export function watchServer(
  registry: SeriesRegistry,
  db: Pick<Database, 'server'>,
  contact: () => DatabaseContact,
): void {
  if (db.server === undefined) return
  const server = db.server.bind(db)
  registry.gauges('burgee_database_server_info', 'PostgreSQL primary in use, by cluster and timeline.', () => {
    const { cluster = '', timeline } = server().primary ?? {}
    return [[{ cluster, timeline: String(timeline ?? '') }, 1] as const]
  })
  registry.gauge(
    'burgee_database_silent_seconds',
    'Seconds since the primary last answered the poll for events, which runs twice a second.',
    () => contact().silentMs / MS_PER_SECOND,
  )
  registry.gauge(
    'burgee_database_listening',
    '1 while notifications about changes of other servers arrive, 0 while only polling finds these changes.',
    () => Number(contact().notificationFailure === undefined),
  )
  registry.gauge('burgee_database_writable', '1 while changes can be written, 0 while they are refused.', () =>
    Number(server().refusal === undefined && contact().lostSinceMs === undefined),
  )
}

/** Adds metrics of the connection pools and of the threads that run connections, if the database has any. */
export function watchDatabase(
  registry: SeriesRegistry,
  { pools, threadMemory }: Pick<Database, 'pools' | 'threadMemory'>,
): void {
  if (threadMemory !== undefined) {
    registry.gauges(
      'burgee_database_thread_bytes',
      'Memory of the threads of the embedded database: prepared statements, and heaps of V8.',
      () => Object.entries(threadMemory()).map(([kind, bytes]) => [{ kind }, bytes] as const),
    )
  }
  if (pools === undefined) return
  registry.gauges('burgee_database_connections', 'Connections by pool and state: busy, idle.', () =>
    pools().flatMap(({ pool, busy, idle }) => [
      [{ pool, state: 'busy' }, busy] as const,
      [{ pool, state: 'idle' }, idle] as const,
    ]),
  )
  registry.gauges('burgee_database_waiting', 'Callers that wait for a connection, by pool.', () =>
    pools().map(({ pool, waiting }) => [{ pool }, waiting] as const),
  )
}
