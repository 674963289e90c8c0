import { listMigrationNames } from '@burgee/storage/migrations'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import type { TestDatabase } from '../../support/test-database.ts'
import { DRIVERS } from '../drivers.ts'
import { FIRST_ALTERING, migrationStatements } from './migration-statements.ts'
import { makeOldTables } from './old-database.ts'

/** Migration that gives existing rows a value: the rows before, and what is read afterwards. */
interface OldRows {
  readonly migration: string
  /** Sentence that is true after the migration. */
  readonly title: string
  readonly fill: (look: TestDatabase) => Promise<void>
  readonly read: string
  readonly after: readonly (readonly unknown[])[]
}

/** In migration order. */
const OLD_ROWS: readonly OldRows[] = [
  {
    migration: '0080-group-members',
    title: 'members of a group stay sorted by id',
    fill: async (look) => {
      await look.rows(
        "insert into users (username, root_role, password_hash, must_change_password, created_at) values ('ann', 3, '', 0, 0), ('bob', 3, '', 0, 0)",
      )
      await look.rows("insert into groups (name, mappings_sso, created_by, created_at) values ('g', '[]', 'x', 0)")
      await look.rows(
        "insert into group_members (group_id, user_id, joined_at, created_by) select g.id, u.id, 0, 'x' from groups g, users u order by u.id desc",
      )
    },
    read: 'select u.username, m.position from group_members m join users u on u.id = m.user_id order by m.position, u.id',
    after: [
      ['ann', 0],
      ['bob', 0],
    ],
  },
  {
    migration: '0084-public-impact-metrics',
    title: 'impact metrics and their series count as reported by servers',
    fill: async (look) => {
      await look.rows(
        "insert into impact_metrics (id, environment, type, name, source_projects, help, first_seen_at, last_seen_at) values ('m', 'e', 'counter', 'errors', '[]', '', 0, 0)",
      )
      await look.rows(
        "insert into impact_series (id, metric_id, labels, bounds, last_seen_at) values ('s', 'm', '[]', '[]', 0)",
      )
    },
    read: 'select m.is_public, s.is_public as series from impact_metrics m join impact_series s on s.metric_id = m.id',
    after: [[0, 0]],
  },
  {
    migration: '0085-safeguard-metrics',
    title: 'safeguards are checked at their own time only, until they are set again',
    fill: async (look) => {
      await look.rows(
        "insert into projects (id, name, mode, default_stickiness, created_at) values ('p', 'p', 'open', 'default', 0)",
      )
      await look.rows(
        "insert into environments (name, type, sort_order, enabled, protected) values ('e', 'test', 1, 1, 0)",
      )
      await look.rows("insert into features (name, project, type, created_at) values ('f', 'p', 'release', 0)")
      await look.rows("insert into feature_environments (feature_name, environment, variants) values ('f', 'e', '[]')")
      await look.rows(
        "insert into safeguards (id, feature_name, environment, definition, armed_at, created_by_user_id, created_at) values ('s', 'f', 'e', '{}', 0, 0, 0)",
      )
    },
    read: 'select metric_name from safeguards',
    after: [[null]],
  },
  {
    migration: '0090-agents',
    title: 'events have no mark of an agent',
    fill: async (look) => {
      await look.rows(
        "insert into events (created_at, type, created_by, created_by_user_id, tags) values (0, 'feature-created', 'x', 1, '[]')",
      )
    },
    read: 'select type, agent from events',
    after: [['feature-created', null]],
  },
  {
    migration: '0104-config-origins',
    title: 'change requests do not come from files',
    fill: async (look) => {
      await look.rows(
        "insert into projects (id, name, mode, default_stickiness, created_at) values ('p', 'p', 'open', 'default', 0)",
      )
      await look.rows(
        "insert into change_requests (project, environment, title, state, state_times, created_by_user_id, created_by, created_at) values ('p', 'e', 't', 'Draft', '{}', 1, 'x', 0)",
      )
    },
    read: 'select title, from_files from change_requests',
    after: [['t', null]],
  },
]

test.each(OLD_ROWS.flatMap((rows) => DRIVERS.map((driver) => ({ ...rows, driver }))))(
  'after $migration on $driver.name: $title',
  async ({ driver, migration, fill, read, after }) => {
    const place = await driver.place()
    const names = listMigrationNames()
    const before = names[names.indexOf(migration) - 1]
    if (before === undefined) throw new Error(`There is no version before ${migration}`)
    await makeOldTables(place.where, before)
    const look = await place.look()
    await fill(look)
    await makeOldTables(place.where, migration)
    const rows = await look.rows(read)
    await look.close()
    await place.remove()
    expect(rows.map((row) => Object.values(row))).toEqual(after)
  },
)

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

/** Detects migrations that read rows first, and therefore send no further statements to an empty database. */
const readsRows = (statements: readonly string[]) => statements.some((sql) => /^select\b/i.test(sql))

test('every migration that gives old rows a value has rows here', async () => {
  const folder = temporaryFolder()
  const sent = await migrationStatements({ dataDir: folder.path })
  folder.remove()
  const altering = [...sent].filter(([name]) => name >= FIRST_ALTERING)
  const needed = altering.filter(([, statements]) => touchesOldRows(statements) || readsRows(statements))
  expect(needed.map(([name]) => name)).toEqual(OLD_ROWS.map(({ migration }) => migration))
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
