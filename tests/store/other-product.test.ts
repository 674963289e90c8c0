import { randomBytes } from 'node:crypto'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createServer } from '@burgee/server'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { afterEach, describe, expect, test } from 'vitest'
import { optionsOf } from '../http/scenario.ts'
import { runBurgee } from '../support/burgee.ts'
import { CHEAP } from '../support/password-cost.ts'
import { type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { DRIVERS } from './drivers.ts'

/** Databases that belong to another product or are not initialized: rejected before any write, or adopted. */
let place: FreshDatabase
let look: TestDatabase
afterEach(async () => {
  await look.close()
  await place.remove()
})

const open = (url = place.url) =>
  openPostgres({ connection: { connectionString: url }, poolSize: 4 }, { clock: Date.now })

/** Returns every relation, column and row count, to check that nothing has changed. */
async function everything(): Promise<string> {
  const columns =
    await look.rows(`select table_schema, table_name, column_name, data_type from information_schema.columns
    where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2, 3`)
  const sequences = await look.rows('select schemaname, sequencename from pg_sequences order by 1, 2')
  const schemas = await look.rows('select nspname from pg_namespace order by 1')
  const names = new Set(columns.map((row) => `"${row.table_schema}"."${row.table_name}"`))
  const counts: unknown[] = []
  for (const name of names) counts.push(await look.row(`select '${name}' as name, count(*) as n from ${name}`))
  return JSON.stringify([columns, sequences, schemas, counts])
}

async function given(...statements: readonly string[]): Promise<void> {
  place = await freshDatabase()
  look = await postgresLook(place.url)
  for (const statement of statements) await look.rows(statement)
}

/** Relevant tables of a database left by Unleash 5.12.8. */
const UNLEASH = [
  'create table migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)',
  "insert into migrations (name, run_on) values ('/20141020151056-initial-schema', now())",
  'create table features (name varchar(255) primary key, project text)',
  'create table strategies (name varchar(255) primary key, built_in integer)',
  'create table feature_strategies (id text primary key, feature_name varchar(255))',
  'create table projects (id varchar(255) primary key, name varchar not null)',
  'create table client_metrics_env (feature_name varchar(255), app_name varchar(255))',
  'create view features_view as select name from features',
]
const KYSELY = [
  'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
  'create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)',
]

describe('refused, with nothing changed', () => {
  test.each<{ name: string; holds: readonly string[]; says: RegExp }>([
    {
      name: 'a database of Unleash',
      holds: UNLEASH,
      says: /belongs to an Unleash server.*\(migrations, features, feature_strategies.*empty database.*burgee import --from-unleash-database/,
    },
    {
      name: 'one of Unleash in which an older start has left tables',
      holds: [...UNLEASH, ...KYSELY],
      says: /belongs to an Unleash server/,
    },
    {
      name: 'a table that has a name of ours',
      holds: ['create table projects (id int)'],
      says: /holds something else: projects\b.*empty database/,
    },
    {
      name: 'tables of something else that collide with none of ours',
      holds: ['create table orders (id int)', 'create table customers (id int)'],
      says: /holds something else: customers, orders\b.*schema of its own/,
    },
    {
      name: 'many of them',
      holds: Array.from({ length: 30 }, (_, index) => `create table t${String(index).padStart(2, '0')} (id int)`),
      says: /t00, t01, t02, t03, t04, t05, t06, t07 and 22 more/,
    },
    { name: 'a view only', holds: ['create view v as select 1 as one'], says: /something else: v\b/ },
    {
      name: 'a product that uses the same library for its tables',
      holds: [...KYSELY, "insert into kysely_migration values ('2023-users', '2023-01-01')"],
      says: /something else: kysely_migration\b/,
    },
  ])('$name', async ({ holds, says }) => {
    await given(...holds)
    const before = await everything()
    const failure = await open().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect((failure as Error).message).toMatch(says)
    expect((failure as Error).message).toContain('Nothing was changed')
    expect(await everything()).toBe(before)
  })

  test('makes the command exit with 1 and one sentence', async () => {
    await given(...UNLEASH)
    const before = await everything()
    const burgee = runBurgee(['server'], { DATABASE_URL: place.url, HTTP_PORT: '0' })
    expect(await burgee.ended).toBe(1)
    expect(burgee.errors()).toMatch(/^[^\n]*belongs to an Unleash server[^\n]*\n$/)
    expect(await everything()).toBe(before)
  })
})

describe('taken', () => {
  test.each<{ name: string; holds: readonly string[] }>([
    { name: 'an empty one', holds: [] },
    { name: 'tables of others in other schemas', holds: ['create schema x', 'create table x.projects (id int)'] },
    {
      name: 'the tables of the same library in another schema',
      holds: ['create schema x', ...KYSELY.map((statement) => statement.replace('table ', 'table x.'))],
    },
    { name: 'a start that was killed before its first table', holds: KYSELY },
    { name: 'an extension with tables or views of its own', holds: ['create extension pg_buffercache'] },
  ])('$name', async ({ holds }) => {
    await given(...holds)
    await (await open()).close()
    expect(await look.rows("select count(*) as n from projects where id = 'default'")).toEqual([{ n: 1 }])
    // opened once more, now that the database is a Burgee database
    await (await open()).close()
  })

  test('a schema of its own beside an Unleash server', async () => {
    await given(...UNLEASH, 'create schema burgee')
    const url = new URL(place.url)
    url.searchParams.set('options', '-c search_path=burgee')
    await (await open(url.href)).close()
    await (await open(url.href)).close()
    expect(await look.rows("select id from burgee.projects where id = 'default'")).toEqual([{ id: 'default' }])
    expect(await look.rows('select count(*) as n from features')).toEqual([{ n: 0 }])
    expect(
      await look.rows("select tablename from pg_tables where schemaname = 'public' and tablename like 'k%'"),
    ).toEqual([])
  })
})

test('a search path without a schema is reported', async () => {
  await given()
  const url = new URL(place.url)
  url.searchParams.set('options', '-c search_path=nowhere')
  await expect(open(url.href)).rejects.toThrow(/search_path.*schema/)
})

describe.each(DRIVERS)('a database of a newer Burgee, on $name', (driver) => {
  test('fails to open with the names of the newer migrations, and stays as it is', async () => {
    await given()
    const own = await driver.place()
    await (await own.open()).close()
    const inside = await own.look()
    await inside.rows("insert into kysely_migration values ('0099-later', '2030-01-01'), ('0100-latest', '2030-01-02')")
    const state = () => inside.rows('select name, timestamp from kysely_migration order by name')
    const before = await state()
    const failure = await own.open().catch((error: unknown) => error)
    expect((failure as Error).message).toMatch(
      /written by a newer Burgee: .*0099-later, 0100-latest.*this version \(\d+\.\d+\.\d+\).*up to \d{4}-[a-z-]+.*Nothing was changed/,
    )
    expect(await state()).toEqual(before)
    await inside.close()
    await own.remove()
  })
})

describe('few connections', () => {
  test.each([1, 2, 3])('%i for everything', async (databasePoolSize) => {
    await given()
    const options = optionsOf({
      databaseUrl: place.url,
      databasePoolSize,
      port: 0,
      host: '127.0.0.1',
      defaultAdminPassword: 'a good password',
      initAdminApiTokens: ['*:*.admin-secret'],
    })
    const logger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
    const server = await createServer({
      options,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger,
      passwordCost: CHEAP,
    })
    const call = (method: 'GET' | 'POST', url: string, payload?: object) =>
      server.app.inject({
        method,
        url: `/api/admin/${url}`,
        headers: { authorization: '*:*.admin-secret' },
        ...(payload === undefined ? {} : { payload }),
      })
    const names = Array.from({ length: 20 }, (_, index) => `flag-${index}`)
    const made = await Promise.all(names.map((name) => call('POST', 'projects/default/features', { name })))
    expect(new Set(made.map((reply) => reply.statusCode))).toEqual(new Set([201]))
    const reads = names.flatMap((name) => [
      call('GET', `projects/default/features/${name}`),
      call('GET', 'projects/default'),
      call('GET', 'search/features'),
      call('GET', 'events'),
      call('POST', `projects/default/features/${name}/environments/development/on`),
    ])
    const time = new Date().toISOString()
    const bucket = { start: time, stop: time, toggles: { 'flag-1': { yes: 2 } } }
    await server.recordMetrics({ environment: 'development', projects: ['*'] }, 'app', bucket)
    await server.flush()
    const payload = { username: 'admin', password: 'a good password' }
    const login = await server.app.inject({ method: 'POST', url: '/auth/simple/login', payload })
    expect(login.statusCode).toBe(200)
    expect(new Set((await Promise.all(reads)).map((reply) => reply.statusCode))).toEqual(new Set([200]))
    const connections = await look.rows(
      "select pid from pg_stat_activity where application_name = 'burgee' and datname = current_database()",
    )
    // plus the listening connection
    expect(connections.length).toBeLessThanOrEqual(databasePoolSize + 1)
    await server.close()
  })

  test.each([1, 2, 3])('%i: what reads cannot write', async (poolSize) => {
    await given()
    const db = await openPostgres({ connection: { connectionString: place.url }, poolSize }, { clock: Date.now })
    const writing = db.reader as unknown as {
      insertInto(table: string): { values(row: object): { execute(): Promise<unknown> } }
    }
    const row = { name: 'x', value: 'y' }
    for (let round = 0; round < 2; round += 1) {
      await expect(writing.insertInto('settings').values(row).execute()).rejects.toThrow('read-only')
      await db.write((tx) =>
        tx
          .insertInto('settings')
          .values({ ...row, name: `w${round}` })
          .execute(),
      )
      await db.count((tx) =>
        tx
          .insertInto('settings')
          .values({ ...row, name: `c${round}` })
          .execute(),
      )
    }
    expect(await db.view((reader) => reader.selectFrom('settings').select('name').execute())).toHaveLength(4)
    expect(db.pools?.().length).toBe(poolSize)
    await db.close()
  })
})
