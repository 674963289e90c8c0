import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { listMigrationNames } from '@burgee/storage/migrations'
import { expect } from 'vitest'

/**
 * Number of the first migration that changes existing databases. Migrations with lower numbers create the tables of the
 * first release.
 */
export const FIRST_ALTERING = '0080'

/** Returns the statements that each migration sends to an empty database, by migration name. */
export async function migrationStatements(given: object): Promise<Map<string, string[]>> {
  const names = listMigrationNames()
  const found = new Map<string, string[]>()
  let done = 0
  const options = parseOptions(SERVER_OPTIONS as OptionTable, { given }) as ServerOptions
  const onQuery = (sql: string): void => {
    const name = names[done]
    if (name === undefined) return
    if (/^insert into "?(\w+"?\."?)?kysely_migration"?\s/i.test(sql)) done += 1
    else found.set(name, [...(found.get(name) ?? []), sql.trim()])
  }
  const db = await openDatabase(options, { clock: Date.now, onQuery })
  await db.close()
  expect(done).toBe(names.length)
  return found
}
