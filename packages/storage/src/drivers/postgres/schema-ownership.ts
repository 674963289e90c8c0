import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../database.ts'
import { OwnershipError } from '../../ownership.ts'

const SETTING_NAME = 'databaseSchema'

/**
 * Stores the value of DATABASE_SCHEMA for which the tables were created. Throws OwnershipError if another schema is
 * stored: a pooler may drop the schema setting, and two installations must not share tables by accident.
 */
export async function requireSchemaOwnership(
  db: Kysely<Schema>,
  requested: string | undefined,
  isGuest: boolean,
): Promise<void> {
  if (requested === undefined) return
  const row = await db.selectFrom('settings').select('value').where('name', '=', SETTING_NAME).executeTakeFirst()
  if (row === undefined) {
    if (isGuest) return
    const settings = db.insertInto('settings').values({ name: SETTING_NAME, value: requested })
    await settings.onConflict((conflict) => conflict.doNothing()).execute()
    return requireSchemaOwnership(db, requested, true)
  }
  if (row.value === requested) return
  throw new OwnershipError(
    `The tables in the schema "${await readCurrentSchema(db)}" belong to an installation with DATABASE_SCHEMA=${row.value}, and this one has DATABASE_SCHEMA=${requested}. Nothing was changed; if they were copied or renamed on purpose, run: delete from settings where name = '${SETTING_NAME}'`,
  )
}

async function readCurrentSchema(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema()::text as name`.execute(db)
  return rows[0]?.name ?? ''
}
