import { randomBytes } from 'node:crypto'
import { Client, types } from 'pg'
import { inject } from 'vitest'
import { makeTables, newEpoch, type Row, type TestDatabase } from './test-database.ts'

/** An empty database on the run's PostgreSQL. */
export interface FreshDatabase {
  readonly url: string
  /** Removes it, with whoever is still connected. */
  remove(): Promise<void>
}

/** PostgreSQL 15, which has more than one way to copy a database. */
const WITH_STRATEGIES = 150_000
const INT8 = 20
const NUMERIC = 1700

/** Makes an empty database. Throws when there is no PostgreSQL and none can be started. */
export async function freshDatabase(): Promise<FreshDatabase> {
  return madeFrom(await serviceUrl(), 'template1')
}

/** Where in a cluster the tables stand ready, and who may make them: both are the same in all processes of a run. */
const TEMPLATE = 'burgee_test_template'
const TEMPLATE_LOCK = 20260101

let template: Promise<void> | undefined

/**
 * Makes a database with the tables of this version in which no server has been yet: a copy of one that is made once per
 * run. For tests that are not about making the tables, which takes a server longer than everything else.
 */
export async function migratedDatabase(): Promise<FreshDatabase> {
  const service = await serviceUrl()
  template ??= makeTemplate(service)
  await template
  const made = await madeFrom(service, TEMPLATE)
  await administer(made.url, newEpoch())
  return made
}

function makeTemplate(service: string): Promise<void> {
  return withClient(service, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    // a cluster that outlives the run may hold the tables of another version
    const run = `burgee tests ${inject('postgresService')}`
    const found = await client.query(
      "select shobj_description(oid, 'pg_database') as run from pg_database where datname = $1",
      [TEMPLATE],
    )
    if (found.rows[0]?.run === run) return
    await client.query(`drop database if exists ${TEMPLATE}`)
    await client.query(`create database ${TEMPLATE}`)
    await makeTables({ databaseUrl: urlOf(service, TEMPLATE) })
    await client.query(`comment on database ${TEMPLATE} is '${run}'`)
  })
}

async function serviceUrl(): Promise<string> {
  const reply = await fetch(inject('postgresService'))
  if (!reply.ok) throw new Error(await reply.text())
  return ((await reply.json()) as { url: string }).url
}

async function madeFrom(service: string, origin: string): Promise<FreshDatabase> {
  const name = `burgee_test_${randomBytes(6).toString('hex')}`
  await withClient(service, async (client) => {
    const { rows } = await client.query('show server_version_num')
    // it would write every page of the copy into its log as well: twice the work
    const strategy = Number(rows[0]?.server_version_num) >= WITH_STRATEGIES ? 'strategy file_copy' : ''
    await client.query(`create database ${name} template ${origin} ${strategy}`)
  })
  const remove = () => administer(service, `drop database if exists ${name} with (force)`)
  return { url: urlOf(service, name), remove }
}

function urlOf(service: string, name: string): string {
  const own = new URL(service)
  own.pathname = `/${name}`
  return own.href
}

/** A copy of a database. */
export interface DatabaseCopy {
  /** Removes a database, by default the one that was copied, and gives the copy its name; cuts off who is connected. */
  takePlaceOf(url?: string): Promise<void>
  /** Removes the copy, where it has not taken its place. */
  remove(): Promise<void>
}

/** Copies a database; whoever is connected to it is cut off. */
export async function copyOfDatabase(url: string): Promise<DatabaseCopy> {
  const name = new URL(url).pathname.slice(1)
  const copy = `${name}_copy`
  const service = new URL(url)
  service.pathname = '/postgres'
  const run = (sql: string) => administer(service.href, sql)
  // a database with connections cannot be copied, and servers connect again at once
  await run(`alter database ${name} allow_connections false`)
  await run(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`)
  await run(`create database ${copy} template ${name} allow_connections true`)
  await run(`alter database ${name} allow_connections true`)
  return {
    takePlaceOf: async (other = url) => {
      const freed = new URL(other).pathname.slice(1)
      await run(`drop database ${freed} with (force)`)
      await run(`alter database ${copy} rename to ${freed}`)
    },
    remove: () => run(`drop database if exists ${copy} with (force)`),
  }
}

function administer(url: string, sql: string): Promise<void> {
  return withClient(url, async (client) => void (await client.query(sql)))
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const any = new URL(url)
  if (any.pathname.length <= 1) any.pathname = '/postgres'
  const client = new Client({ connectionString: any.href })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A look into a database; what it holds when its database is removed is no error. */
export async function postgresLook(url: string): Promise<TestDatabase> {
  const client = new Client({
    connectionString: url,
    // several questions at once
    pipeline: true,
    types: {
      getTypeParser: (oid, format) =>
        oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format ?? 'text'),
    },
  })
  client.on('error', () => {})
  await client.connect()
  const rows = async (sql: string, values: readonly unknown[]): Promise<Row[]> => {
    let count = 0
    const numbered = sql.replace(/\?/g, () => `$${++count}`)
    const result = await client.query<Row>(numbered, [...values])
    return result.rows
  }
  return {
    rows: (sql, ...values) => rows(sql, values),
    row: async (sql, ...values) => (await rows(sql, values))[0],
    close: () => client.end(),
  }
}
