import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { freshDatabase } from '../../support/postgres.ts'
import { FIRST_ALTERING, migrationStatements } from './migration-statements.ts'

const ALLOWED = [
  /^create (unique )?(table|index|virtual table|trigger|extension|function)\b/i,
  /^(insert|update|select|pragma)\b/i,
]
/** The previous version inserts rows without this column, so it must be nullable or have a default. */
const ADDED_COLUMN = /^alter table \S+ add column (?!(?=.*\bnot null\b)(?!.*\bdefault\b))/i

function refused(statements: readonly string[]): string[] {
  return statements.filter((sql) => ![...ALLOWED, ADDED_COLUMN].some((pattern) => pattern.test(sql)))
}

/** Older servers keep running while the first server of the next version migrates (docs/adr/0036). */
describe.each(['sqlite', 'postgres'])('migrations on %s', (driver) => {
  test('add to the tables and change nothing that the version before uses', async () => {
    const folder = temporaryFolder()
    const database = driver === 'postgres' ? await freshDatabase() : undefined
    const given = database === undefined ? { dataDir: folder.path } : { databaseUrl: database.url }
    const late = [...(await migrationStatements(given))].filter(([name]) => name >= FIRST_ALTERING)
    await database?.remove()
    folder.remove()
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
