import { randomBytes } from 'node:crypto'
import { Client, types } from 'pg'
import { inject } from 'vitest'
import { makeTables, newEpoch, type Row, type TestDatabase } from './test-database.ts'

/** Empty database on the PostgreSQL server of this run. */
export interface FreshDatabase {
  readonly url: string
  /** Drops the database and its remaining connections. */
  remove(): Promise<void>
}

/** First PostgreSQL version with a choice of strategies for `create database` (15). */
const WITH_STRATEGIES = 150_000
const INT8 = 20
const NUMERIC = 1700

/** Creates an empty database. Throws if no PostgreSQL server exists or can be started. */
export async function freshDatabase(): Promise<FreshDatabase> {
  return madeFrom(await serviceUrl(), 'template1')
}

/**
 * Name of the template database, and the number of the advisory lock for creating it. Template and lock are the same in
 * all processes of a run.
 */
const TEMPLATE = 'burgee_test_template'
const TEMPLATE_LOCK = 20260101

let template: Promise<void> | undefined

/**
 * Creates a database with the tables of this version that no server has used, from a template that is created once per
 * run. For tests that are not about migrations: running them takes most of the startup time.
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
    // a cluster that remains after the run may contain the tables of another version
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
    // the default strategy would also write every page of the copy to the WAL, which doubles the work
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

/** Copy of a database. */
export interface DatabaseCopy {
  /**
   * Drops a database (by default, the database that was copied) with its connections, and gives its name to the copy.
   */
  takePlaceOf(url?: string): Promise<void>
  /** Drops the copy, unless it has replaced a database. */
  remove(): Promise<void>
}

/** Copies a database, closing all connections to it. */
export async function copyOfDatabase(url: string): Promise<DatabaseCopy> {
  const name = new URL(url).pathname.slice(1)
  const copy = `${name}_copy`
  const service = new URL(url)
  service.pathname = '/postgres'
  const run = (sql: string) => administer(service.href, sql)
  // a database with connections cannot be copied, and servers reconnect at once
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

/** Opens a connection for direct queries. Ignores connection errors that result from dropping the database. */
export async function postgresLook(url: string): Promise<TestDatabase> {
  const client = new Client({
    connectionString: url,
    // sends several queries at once
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
