import type { LogEvent } from 'kysely'
import type { DatabaseOptions } from './database.ts'

/**
 * Returns the Kysely configuration that reports each query to `onQuery`, including failed queries. If `onQuery` is
 * missing, the configuration is empty.
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
