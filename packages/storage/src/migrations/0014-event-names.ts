import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const INDEXES = { type: 'type', environment: 'environment', created_by: 'author' } as const

/** Adds indexes for the names in event columns and for their events; flags and projects are already indexed. */
export function eventNames(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      for (const [column, name] of Object.entries(INDEXES)) {
        await db.schema.createIndex(`events_by_${name}`).on('events').columns([column, 'id']).execute()
      }
    },
  }
}
