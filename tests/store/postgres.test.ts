import { inspect } from 'node:util'
import type { Database, Reader, Tx } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { allowLongPauses } from '@burgee/storage/long-pauses'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { until } from '../support/wait.ts'

let place: FreshDatabase
let db: Database
let look: TestDatabase
beforeAll(async () => {
  place = await freshDatabase()
  db = await openPostgres({ connection: { connectionString: place.url }, poolSize: 4 }, { clock: Date.now })
  look = await postgresLook(place.url)
})
afterAll(async () => {
  await db.close()
  await look.close()
  await place.remove()
})

const cut = () =>
  look.rows(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'burgee' and datname = current_database()",
  )
const set = (name: string) => db.write((tx) => tx.insertInto('settings').values({ name, value: 'x' }).execute())
const names = async () => (await look.rows('select name from settings order by name')).map((row) => row.name)

describe('a connection that is cut', () => {
  test('fails its change, which leaves nothing, and the next one succeeds', async () => {
    const change = db.write(async (tx) => {
      await tx.insertInto('settings').values({ name: 'cut', value: 'x' }).execute()
      await cut()
      // the connection is cut while idle, so that no pending query gets the error
      await new Promise((resolve) => setTimeout(resolve, 50))
      await tx.insertInto('settings').values({ name: 'cut-2', value: 'x' }).execute()
    })
    await expect(change).rejects.toThrow()
    await set('after')
    expect(await names()).toEqual(['after'])
  })

  test('fails its group: none of it is stored or acknowledged, and later changes succeed', async () => {
    const own = ['cut-a', 'cut-b', 'cut-c'].map((name) =>
      db.write(async (tx) => {
        await tx.insertInto('settings').values({ name, value: 'x' }).execute()
        if (name === 'cut-b') await cut()
      }),
    )
    const ends = await Promise.allSettled(own)
    const kept = ['cut-a', 'cut-b', 'cut-c'].filter((_name, index) => ends[index]?.status === 'fulfilled')
    expect(ends.slice(0, 2).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await set('after-group')
    expect((await names()).filter((name) => String(name).startsWith('cut'))).toEqual(kept)
    await look.rows("delete from settings where name <> 'after'")
  })

  test('gets replaced if it was idle', async () => {
    await db.reader.selectFrom('settings').select('name').execute()
    await cut()
    await until(async () => (await db.reader.selectFrom('settings').select('name').execute()).length === 1)
    await until(() => set('again').then(() => true))
    expect(await names()).toEqual(['after', 'again'])
  })
})

const GATE = 4711
const behindGate = (reader: Reader) =>
  reader
    .selectFrom('projects')
    .select(['id', sql`pg_advisory_lock_shared(${GATE})`.as('gate')])
    .where('id', '=', 'default')
    .execute()

describe('a read whose session ends while it is answered', () => {
  test.each([
    { way: 'a single query', read: () => behindGate(db.reader) },
    { way: 'a view', read: () => db.view(behindGate) },
    { way: 'a scan', read: () => db.scan(behindGate) },
  ])('$way is retried once on another session', async ({ read }) => {
    const waiting = async () =>
      (await look.rows(`select pid from pg_locks where objid = ${GATE} and not granted`)).map(({ pid }) => pid)
    await look.rows(`select pg_advisory_lock(${GATE})`)
    const reading = read()
    await until(async () => (await waiting()).length === 1)
    const [first] = await waiting()
    await cut()
    await until(async () => (await waiting()).some((pid) => pid !== first))
    await look.rows(`select pg_advisory_unlock(${GATE})`)
    expect(await reading).toMatchObject([{ id: 'default' }])
    await cut()
  })

  test('a query that fails for another reason is not retried', async () => {
    const failing = db.reader.selectFrom('projects').select(sql`1 / (random() * 0)::int`.as('x')).execute()
    await expect(failing).rejects.toThrow('division by zero')
  })
})

const project = (reader: Reader): Promise<Record<string, unknown>[]> =>
  reader.selectFrom('projects').selectAll().where('id', '=', 'default').execute()
const DOORS: readonly { door: string; read: () => Promise<Record<string, unknown>[]> }[] = [
  { door: 'change', read: () => db.write(project) },
  { door: 'view', read: () => db.view(project) },
  {
    door: 'view that asks for several at once',
    read: async () => (await db.view((reader) => Promise.all([project(reader), project(reader)])))[1] ?? [],
  },
  { door: 'read outside of a view', read: () => project(db.reader) },
]

test.each(DOORS)(
  'statements prepared before a table changed are prepared again, and no $door fails',
  async ({ read }) => {
    // every reader connection has prepared the statement
    for (let time = 0; time < 4; time += 1) await Promise.all(Array.from({ length: 8 }, read))
    await look.rows('alter table projects add column of_a_newer_version text')
    const [project] = await read()
    expect(Object.keys(project ?? {})).toContain('of_a_newer_version')
    await look.rows('alter table projects drop column of_a_newer_version')
    const ends = await Promise.all(Array.from({ length: 8 }, read))
    expect(ends.flat()).toHaveLength(8)
  },
)

describe('a node that stops in mid-change', () => {
  const readLimits = async (tx: Tx) => {
    const { rows } = await sql<{ idle: string; statement: string }>`select
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('statement_timeout') as statement`.execute(tx)
    return rows
  }

  test('does not block the writes of others indefinitely', async () => {
    expect(await db.write(readLimits)).toEqual([{ idle: '10s', statement: '30s' }])
  })

  test('may pause for minutes in a large import, and in no later change', async () => {
    const limits = await db.write(async (tx) => {
      await allowLongPauses(tx)
      return readLimits(tx)
    })
    expect(limits).toEqual([{ idle: '10min', statement: '30s' }])
    expect(await db.write(readLimits)).toEqual([{ idle: '10s', statement: '30s' }])
  })
})

describe('a PostgreSQL that has no connection left', () => {
  test('makes changes and reads wait for one, and none fails', async () => {
    const full = await freshDatabase()
    const admin = await postgresLook(full.url)
    const url = new URL(full.url)
    url.username = `few_${url.pathname.slice(1)}`
    await admin.rows(`create role "${url.username}" login connection limit 3`)
    await admin.rows(`alter schema public owner to "${url.username}"`)
    const config = { connection: { connectionString: url.href }, poolSize: 8 }
    const few = await openPostgres(config, { clock: Date.now })
    try {
      const reads = Array.from({ length: 30 }, () => few.reader.selectFrom('projects').select('id').execute())
      const writes = Array.from({ length: 10 }, () =>
        few.write(async (tx) => tx.updateTable('projects').set({ description: 'x' }).execute()),
      )
      const ends = await Promise.allSettled([...reads, ...writes])
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
    } finally {
      await few.close()
      await admin.close()
      await full.remove()
    }
  })
})

describe('an address', () => {
  test.each([
    ['where nothing listens', () => 'postgres://user:hidden-part@127.0.0.1:1/nowhere', 'ECONNREFUSED'],
    ['of no host', () => 'postgres://user:hidden-part@nowhere.invalid/nowhere', 'nowhere.invalid'],
    [
      'of no database',
      () => place.url.replace('postgres@', 'postgres:hidden-part@').replace(/\/[^/]*$/, '/nowhere'),
      '"nowhere" does not exist',
    ],
  ])('%s is an error with the cause, without the password', async (_name, url, reason) => {
    const config = { connection: { connectionString: url() }, poolSize: 4 }
    const failure = await openPostgres(config, { clock: Date.now }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect((failure as Error).message).toMatch(/^The database could not be opened: ./)
    expect((failure as Error).message).toContain(reason)
    expect(inspect(failure, { depth: null })).not.toContain('hidden-part')
  })
})
