import type { Database, Tx } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { explainDbError } from '@burgee/storage/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoneServer, startLone } from '../support/postgres-pair.ts'
import { openRelay, type Relay } from '../support/relay.ts'
import { until } from '../support/wait.ts'

/** Changes made while a server, or the network in front of it, is frozen. */
const DATABASE = 'flags'
const MAX_UNWRITABLE_MS = 10_000
let server: LoneServer
let relay: Relay
let [x, y]: (Database | undefined)[] = []

beforeAll(async () => {
  server = await startLone()
  await server.sql(`create database ${DATABASE}`)
  relay = await openRelay(server)
  const open = (port: number) => {
    const connection = { connectionString: `postgres://postgres@127.0.0.1:${port}/${DATABASE}` }
    return openPostgres({ connection, poolSize: 4 }, { clock: Date.now })
  }
  x = await open(relay.port)
  y = await open(server.port)
}, 60_000)
afterAll(async () => {
  await x?.close()
  await y?.close()
  await relay.close()
  await server.close()
})

const put = (tx: Tx, name: string) => tx.insertInto('settings').values({ name, value: 'x' }).returning('name').execute()
const write = (db: Database | undefined, name: string) => db?.write((tx) => put(tx, name))
const isStored = async (name: string): Promise<boolean> =>
  (await server.sql(`select from settings where name = '${name}'`, DATABASE)).length > 0
const refusalOf = (db: Database | undefined): string => String(db?.server?.().refusal?.reason)

/** Starts a change that takes the lock, freezes its server or network, and sends one more statement. */
async function stopWithin(db: Database | undefined, name: string, stop: (pid: number) => void): Promise<unknown> {
  const change = db?.write(async (tx) => {
    await put(tx, name)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    stop(Number(rows[0]?.pid))
    await put(tx, `${name}, once more`)
  })
  return change?.catch((error: unknown) => error)
}

async function msOf(work: () => Promise<unknown> | undefined): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('a network that swallows a change refuses it, and lets the next one of every node succeed within ten seconds', async () => {
  const began = performance.now()
  const first = stopWithin(x, 'swallowed', () => relay.forget())
  const others = Promise.all([write(y, 'of the other'), first.then(() => write(x, 'after it'))])
  const error = await first
  await others
  expect(explainDbError(error)).toBe('it cannot be reached')
  expect(performance.now() - began).toBeLessThan(MAX_UNWRITABLE_MS)
  expect(await Promise.all(['swallowed', 'of the other', 'after it'].map(isStored))).toEqual([false, true, true])
}, 60_000)

test('a read whose answer is swallowed is repeated', async () => {
  const ms = await msOf(() =>
    x?.view(async (reader) => {
      await reader.selectFrom('settings').select('name').execute()
      if ((await isStored('the first time')) === false) {
        await write(y, 'the first time')
        relay.forget()
      }
      return reader.selectFrom('settings').select('name').execute()
    }),
  )
  expect(ms).toBeLessThan(MAX_UNWRITABLE_MS)
}, 60_000)

test('a frozen backend that holds the lock has changes refused with the reason, and they go on when it does', async () => {
  let frozen = 0
  const first = stopWithin(x, 'frozen', (pid) => {
    frozen = pid
    process.kill(pid, 'SIGSTOP')
  })
  await until(() => frozen > 0)
  const other = write(y, 'waits for it')
  await until(() => /lock that another session holds/.test(refusalOf(y)), 30_000)
  expect(explainDbError(await first)).toBe('it cannot be reached')
  process.kill(frozen, 'SIGCONT')
  expect(await msOf(() => Promise.all([other, write(x, 'after the freeze')]))).toBeLessThan(MAX_UNWRITABLE_MS)
  expect(refusalOf(y)).toBe('undefined')
  expect(await Promise.all(['frozen', 'waits for it', 'after the freeze'].map(isStored))).toEqual([false, true, true])
}, 90_000)

test('a server that is frozen as a whole acknowledges what it has, and takes changes within ten seconds after', async () => {
  const changes = ['while frozen', 'too'].map((name) =>
    write(x, name)?.then(
      () => name,
      () => undefined,
    ),
  )
  server.freeze()
  const later = write(x, 'later')?.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 6000))
  server.thaw()
  expect(await msOf(() => until(() => write(x, `after ${performance.now()}`)?.then(() => true)))).toBeLessThan(
    MAX_UNWRITABLE_MS,
  )
  await later
  for (const name of await Promise.all(changes)) if (name !== undefined) expect(await isStored(name)).toBe(true)
}, 60_000)

test('a change that fails for the database has readiness say so until one succeeds', async () => {
  await server.sql(
    `create function full_disk() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$;
     create trigger full_disk before insert on settings execute function full_disk()`,
    DATABASE,
  )
  await expect(write(y, 'too much')).rejects.toThrow()
  expect(refusalOf(y)).toBe('The database rejects changes: it has no room left')
  await server.sql('drop trigger full_disk on settings', DATABASE)
  // no further changes are made, so the node must recover by itself
  await until(() => y?.server?.().refusal === undefined, 10_000)
  await write(y, 'enough')
}, 60_000)
