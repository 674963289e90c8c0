import { existsSync } from 'node:fs'
import { listMigrationNames } from '@burgee/storage/migrations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { DRIVERS, type Place } from '../drivers.ts'
import { migrationStatements } from './migration-statements.ts'
import { makeOldTables } from './old-database.ts'
import { OLD_ROWS } from './old-rows-cases.ts'

/** Migrations that have a separate test. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '0062-inherited-stickiness': 'inherited-stickiness.test.ts',
  '0070-variant-order': 'variant-order.test.ts',
}

describe.each(DRIVERS)('rows of earlier versions on $name', (driver) => {
  let place: Place
  beforeAll(async () => {
    place = await driver.place()
  })
  afterAll(() => place.remove())

  test.each(OLD_ROWS)('after $migration: $title', async ({ migration, fill, read, after }) => {
    const names = listMigrationNames()
    const before = names[names.indexOf(migration) - 1]
    if (before === undefined) throw new Error(`There is no version before ${migration}`)
    await makeOldTables(place.where, before)
    const look = await place.look()
    await fill(look)
    await makeOldTables(place.where, migration)
    const rows = await look.rows(read)
    await look.close()
    expect(rows.map((row) => Object.values(row))).toEqual(after)
  })
})

/** Returns true if statements change existing rows, not counting tables that they create themselves. */
function touchesOldRows(statements: readonly string[]): boolean {
  const tableOf = (sql: string, pattern: RegExp) => pattern.exec(sql)?.[1]
  const made = new Set(statements.map((sql) => tableOf(sql, /^create table (?:if not exists )?"?(\w+)/i)))
  return statements.some((sql) => {
    const table =
      tableOf(sql, /^alter table "?(\w+)"? add column/i) ?? tableOf(sql, /^(?:insert into|update|delete from) "?(\w+)/i)
    return table !== undefined && (!made.has(table) || /^insert into \S+ (?:\([^)]*\) )?select/i.test(sql))
  })
}

/** Detects migrations that first read rows, and therefore send no other statements to an empty database. */
const readsRows = (statements: readonly string[]) => statements.some((sql) => /^select\b/i.test(sql))

test('every migration that gives old rows a value has rows here, or a test of its own', async () => {
  const folder = temporaryFolder()
  const [, ...later] = await migrationStatements({ dataDir: folder.path })
  folder.remove()
  const needed = later.filter(([, sent]) => touchesOldRows(sent) || readsRows(sent)).map(([name]) => name)
  const covered = [...OLD_ROWS.map(({ migration }) => migration), ...Object.keys(ELSEWHERE)]
  expect(needed.toSorted()).toEqual(covered.toSorted())
  for (const file of Object.values(ELSEWHERE)) expect(existsSync(new URL(file, import.meta.url)), file).toBe(true)
})

test.each([
  [['alter table "users" add column "active" smallint default 1 not null'], true],
  [['update users set active = 0'], true],
  [['delete from "events" where id < 5'], true],
  [['create table "grants" ("id" integer)', 'insert into grants (id) select id from users'], true],
  [['create table "grants" ("id" integer)', 'insert into "grants" ("id") values (?)'], false],
  [['create index "events_by_user" on "events" ("id")'], false],
] as const)('%j touches old rows: %s', (statements, expected) => {
  expect(touchesOldRows(statements)).toBe(expected)
})
