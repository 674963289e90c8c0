import type { LogEvent } from 'kysely'
import type { DatabaseOptions } from './database.ts'

/**
 * Returns a Kysely configuration that reports each query, including failed queries, to `onQuery`. Without `onQuery`,
 * the configuration is empty.
 */
export function createQueryLog({ onQuery }: DatabaseOptions): { log?: (event: LogEvent) => void } {
  if (onQuery === undefined) return {}
  return {
    log: (event) => {
      const error = event.level === 'error' ? event.error : undefined
      onQuery(event.query.sql, { durationMs: event.queryDurationMillis, error })
    },
  }
}
