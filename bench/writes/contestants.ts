import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { createServer } from '@burgee/server'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { Client } from 'pg'
import { queryCounter } from '../../tests/support/queries.ts'

/** Maximum number of clients. */
export const MAX_CLIENTS = 64
const TIME = { clock: Date.now, monotonic: PROCESS_CLOCK }
const ADMIN = '*:*.admin-of-the-bench'
const FEATURES = '/api/admin/projects/default/features'
/** Text about as long as the event that is written when a flag is switched. */
const EVENT_TEXT = JSON.stringify({ type: 'feature-environment-enabled', note: 'x'.repeat(200) })

/** Makes changes for several clients, which are numbered from 0. */
export interface Writer {
  /** Makes one change for this client; resolves once the change is durable. */
  change(client: number): Promise<unknown>
  close(): Promise<void>
}

/** Writer that uses our server, and counts the SQL statements that it executes. */
export interface ServerWriter extends Writer {
  /** Returns the number of SQL statements that the work executes. */
  statements(work: () => Promise<unknown>): Promise<number>
}

/** The two writers to compare on one database: our server and a minimal one. */
export interface Contestants {
  readonly own: ServerWriter
  readonly floor: Writer
  close(): Promise<void>
}

/**
 * Creates a server in this process. Requests go through the same code as over HTTP, but without a network. Each client
 * has a separate flag.
 */
export async function createServerWriter(given: object): Promise<ServerWriter> {
  const counter = queryCounter()
  const first = { port: 0, defaultAdminPassword: 'a good password', initAdminApiTokens: [ADMIN], keepDocuments: false }
  const options = parseOptions(SERVER_OPTIONS as OptionTable, { given: { ...first, ...given } }) as ServerOptions
  const { onQuery } = counter
  const server = await createServer({ options, ...TIME, random: randomBytes, logger: SILENT, onQuery })
  const call = async (url: string, payload: object = {}): Promise<void> => {
    const headers = { authorization: ADMIN }
    const { statusCode, body } = await server.app.inject({ method: 'POST', url, headers, payload })
    if (statusCode >= 300) throw new Error(`${url}: ${statusCode} ${body}`)
  }
  for (let client = 0; client < MAX_CLIENTS; client += 1) {
    await call(FEATURES, { name: `flag-${client}` })
    await call(`${FEATURES}/flag-${client}/environments/development/strategies`, { name: 'default' })
  }
  const isOn = new Set<number>()
  return {
    change: (client) => {
      const to = isOn.has(client) ? 'off' : 'on'
      if (to === 'on') isOn.add(client)
      else isOn.delete(client)
      return call(`${FEATURES}/flag-${client}/environments/development/${to}`)
    },
    statements: (work) => counter.count(work),
    close: () => server.close(),
  }
}

/** Opens SQLite in a new folder. The minimal writer uses a separate file. */
export async function sqliteContestants(): Promise<Contestants> {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  const own = await createServerWriter({ dataDir: join(folder, 'data') })
  const floor = sqliteFloor(join(folder, 'floor.sqlite'))
  const close = async (): Promise<void> => {
    await own.close()
    await floor.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { own, floor, close }
}

/**
 * Creates the minimal writer. Each change is one transaction of two statements, with the same durability as in our
 * server.
 */
function sqliteFloor(path: string): Writer {
  const db = new DatabaseSync(path)
  db.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; create table flags (id integer primary key, is_on integer)',
  )
  db.exec('create table events (id integer primary key, text text)')
  const flag = db.prepare('insert into flags values (?, 0) on conflict do update set is_on = 1 - is_on')
  const event = db.prepare('insert into events (text) values (?)')
  return {
    change: async (client) => {
      db.exec('BEGIN IMMEDIATE')
      flag.run(client)
      event.run(EVENT_TEXT)
      db.exec('COMMIT')
    },
    close: async () => db.close(),
  }
}

/** Opens PostgreSQL. The minimal writer uses a separate schema. */
export async function postgresContestants(url: string): Promise<Contestants> {
  const own = await createServerWriter({ databaseUrl: url })
  const floor = await postgresFloor(url)
  const close = async (): Promise<void> => {
    await own.close()
    await floor.close()
  }
  return { own, floor, close }
}

/**
 * Creates the minimal writer, with one connection per client. A change takes one round trip and never waits for another
 * client's lock.
 */
async function postgresFloor(connectionString: string): Promise<Writer> {
  const clients = Array.from({ length: MAX_CLIENTS }, () => new Client({ connectionString }))
  await Promise.all(clients.map((client) => client.connect()))
  await clients[0]?.query(
    `create schema floor; create table floor.flags (id integer primary key, is_on boolean);
     create table floor.events (id bigserial primary key, text text);
     insert into floor.flags select id, false from generate_series(0, ${MAX_CLIENTS - 1}) id`,
  )
  const text = `with flag as (update floor.flags set is_on = not is_on where id = $1)
    insert into floor.events (text) values ($2)`
  return {
    change: async (index) => clients[index]?.query({ name: 'change', text, values: [index, EVENT_TEXT] }),
    close: async () => {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}
