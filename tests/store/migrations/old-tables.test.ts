import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { searchEvents } from '@burgee/storage/queries/events/event-search'
import { removeEvents } from '@burgee/storage/queries/retention/old-events'
import { describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../support/test-database.ts'
import { DRIVERS, type Place } from '../drivers.ts'
import { makeOldTables } from './old-database.ts'

/** A database with history, created before migrations 0013 and 0014, is migrated completely. */
const SCRIPT = fileURLToPath(new URL('migration-child.ts', import.meta.url))
const EVENTS = 20_000
const BEFORE = '0010-usage-by-hour'
const LATE = ['0013-change-marks', '0014-event-names']
const ALL = { columns: [], hidden: [], withAddress: false, limit: 5, offset: 0 }

/** Creates the tables of the previous version, with events. */
async function makeOld(place: Place): Promise<TestDatabase> {
  await makeOldTables(place.where, BEFORE)
  const look = await place.look()
  await look.rows(`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${EVENTS - 1})
    insert into events (created_at, type, created_by, created_by_user_id, project, environment, feature_name, data, pre_data, tags)
    select i, 'feature-updated', 'author-' || (i % 300), 1, 'default', 'development', 'flag-' || (i % 900), 'null', 'null', '[]'
    from n`)
  return look
}

/**
 * Starts a process that opens the database. It kills itself with SIGKILL after a statement that starts with
 * `killAfter`.
 */
function opening(
  place: Place,
  killAfter = '',
): { child: ChildProcess; ended: Promise<unknown[]>; errors: () => string } {
  const args = ['--conditions=source', '--no-warnings', SCRIPT, place.where, killAfter]
  const child = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } })
  let errors = ''
  child.stderr?.on('data', (text) => {
    errors += String(text)
  })
  return { child, ended: once(child, 'close'), errors: () => errors }
}

const done = (look: TestDatabase) =>
  look.rows('select name from kysely_migration').then((rows) => rows.map(({ name }) => String(name)))
const countOf = async (look: TestDatabase) => Number((await look.row('select count(*) as count from events'))?.count)

/** Checks that each migration ran completely, once, and works: a name is found, and retention removes old events. */
async function requireWhole(place: Place, look: TestDatabase): Promise<void> {
  expect((await done(look)).filter((name) => LATE.includes(name)).sort()).toEqual(LATE)
  expect((await look.rows('select name from change_marks order by name')).map(({ name }) => name)).toEqual([
    'overdue',
    'usage',
  ])
  const before = await countOf(look)
  const db = await place.open()
  const names = new EventNames()
  const found = (text: string) => db.scan((reader) => searchEvents(reader, { ...ALL, text }, names))
  const authors = await found('author-299')
  expect([authors.total, authors.events[0]?.createdBy]).toEqual([Math.floor(EVENTS / 300), 'author-299'])
  const walk = { lastId: 0 }
  while (await db.count((tx) => removeEvents(tx, walk, EVENTS / 2)));
  expect(before - (await countOf(look))).toBe(EVENTS / 2)
  expect((await found('author-299')).total).toBe(Math.floor(EVENTS / 600))
  await db.close()
}

describe.each(DRIVERS)('tables of the version before, with events, on $name', (driver) => {
  test('two processes that open them at once: both succeed, and everything is there once', async () => {
    const place = await driver.place()
    const look = await makeOld(place)
    const both = [opening(place), opening(place)]
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([
      [0, null],
      [0, null],
    ])
    await requireWhole(place, look)
    await look.close()
    await place.remove()
  })

  test('a process that is killed between two indexes leaves the tables as they were, and the next one makes them', async () => {
    const place = await driver.place()
    const look = await makeOld(place)
    const killed = opening(place, 'create index "events_by_type"')
    expect([await killed.ended, killed.errors()]).toEqual([[null, 'SIGKILL'], ''])
    expect((await done(look)).filter((name) => LATE.includes(name))).toEqual([])
    expect(await countOf(look)).toBeGreaterThanOrEqual(EVENTS)
    expect(await opening(place).ended).toEqual([0, null])
    await requireWhole(place, look)
    await look.close()
    await place.remove()
  })
})
