import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'

/** Adds the epoch of the database: one row with a random initial value. */
export function epoch({ key, randomHex }: Ddl): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await db.schema
        .createTable('database_epoch')
        .addColumn('epoch', key, (column) => column.primaryKey())
        .addColumn('origin', 'text')
        .execute()
      await db.insertInto('database_epoch').values({ epoch: randomHex, origin: null }).execute()
    },
  }
}
