import type { LogEvent } from 'kysely'
import type { DatabaseOptions } from './database.ts'

/**
 * Returns the Kysely configuration that reports every query to `onQuery`, failed ones included; empty without
 * `onQuery`.
 */
export function queryLog({ onQuery }: DatabaseOptions): { log?: (event: LogEvent) => void } {
  if (onQuery === undefined) return {}
  return {
    log: (event) => {
      const error = event.level === 'error' ? event.error : undefined
      onQuery(event.query.sql, { durationMs: event.queryDurationMillis, error })
    },
  }
}
