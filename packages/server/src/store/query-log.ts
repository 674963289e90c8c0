import type { LogEvent } from 'kysely'
import type { DatabaseOptions } from './database.ts'

/** The part of Kysely's configuration that tells `onQuery` of every query, failed ones included; nothing without it. */
export function queryLog({ onQuery }: DatabaseOptions): { log?: (event: LogEvent) => void } {
  if (onQuery === undefined) return {}
  return {
    log: (event) => {
      const error = event.level === 'error' ? event.error : undefined
      onQuery(event.query.sql, { durationMs: event.queryDurationMillis, error })
    },
  }
}
