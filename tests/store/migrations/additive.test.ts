import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { openDatabase } from '@burgee/server/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/options'
import { migrationNames } from '@burgee/server/store/migrations'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { freshDatabase } from '../../support/postgres.ts'

/** From here on servers of the version before go on while the first of the next one makes its tables (docs/adr/0036). */
const FIRST_ADDITIVE = '0011'

const ALLOWED = [
  /^create (unique )?(table|index|virtual table|trigger|extension|function)\b/i,
  /^(insert|update|select|pragma)\b/i,
]
/** A row that the version before writes does not name the column. */
const ADDED_COLUMN = /^alter table \S+ add column (?!(?=.*\bnot null\b)(?!.*\bdefault\b))/i

/** What migrations send, by migration. */
async function statementsOf(given: object): Promise<Map<string, string[]>> {
  const names = migrationNames()
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

function refused(statements: readonly string[]): string[] {
  return statements.filter((sql) => ![...ALLOWED, ADDED_COLUMN].some((pattern) => pattern.test(sql)))
}

describe.each(['sqlite', 'postgres'])('migrations on %s', (driver) => {
  test('add to the tables and change nothing that the version before uses', async () => {
    const folder = temporaryFolder()
    const database = driver === 'postgres' ? await freshDatabase() : undefined
    const given = database === undefined ? { dataDir: folder.path } : { databaseUrl: database.url }
    const late = [...(await statementsOf(given))].filter(([name]) => name >= FIRST_ADDITIVE)
    await database?.remove()
    folder.remove()
    expect(late.length).toBeGreaterThan(0)
    expect(late.flatMap(([name, statements]) => refused(statements).map((sql) => `${name}: ${sql}`))).toEqual([])
  })
})

test.each([
  ['alter table "features" add column "note" text', []],
  ['alter table "features" add column "weight" integer default 0 not null', []],
  ['alter table "features" add column "weight" integer not null', 'refused'],
  ['alter table "features" drop column "note"', 'refused'],
  ['alter table "features" rename column "note" to "notes"', 'refused'],
  ['alter table "features" rename to "flags"', 'refused'],
  ['alter table "features" alter column "note" set not null', 'refused'],
  ['drop table "features"', 'refused'],
  ['delete from "features"', 'refused'],
])('%s: %s', (sql, expected) => {
  expect(refused([sql])).toEqual(expected === 'refused' ? [sql] : expected)
})
