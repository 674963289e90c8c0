import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { TABLE_NAMES } from '@burgee/storage/table-names'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, migratedDatabase, postgresLook } from '../support/postgres.ts'
import type { TestDatabase } from '../support/test-database.ts'

/** Rights of the database user, which are checked when a session for changes begins. */
const ROLE = 'burgee_rights'
let place: FreshDatabase
let look: TestDatabase
beforeAll(async () => {
  place = await migratedDatabase()
  look = await postgresLook(place.url)
  await look.rows(`do $$ begin create role ${ROLE} login; exception when duplicate_object then null; end $$`)
  await look.rows(`grant select, insert, update, delete on all tables in schema public to ${ROLE}`)
})
afterAll(async () => {
  await look.rows(`drop owned by ${ROLE}`)
  await look.close()
  await place.remove()
})

function open() {
  const url = new URL(place.url)
  url.username = ROLE
  return openPostgres({ connection: { connectionString: url.href }, poolSize: 4 }, { clock: Date.now })
}

test('the tables that are checked are all tables but those of the migrations', async () => {
  const rows = await look.rows("select tablename from pg_tables where schemaname = 'public'")
  const own = rows.map(({ tablename }) => String(tablename)).filter((name) => !name.startsWith('kysely_'))
  expect(TABLE_NAMES.toSorted()).toEqual(own.toSorted())
})

test('a user with rights to every table may start', async () => {
  const db = await open()
  await db.close()
})

test.each(['insert', 'update', 'delete'])(
  'a session is refused that lacks %s, naming every such table',
  async (right) => {
    await look.rows(`revoke ${right} on splash, login_history from ${ROLE}`)
    await expect(open()).rejects.toThrow('The database user may not write to login_history, splash')
    await look.rows(`grant ${right} on splash, login_history to ${ROLE}`)
  },
)
