import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseOptions } from '@burgee/kit/options/options'
import { DATABASE_OPTIONS, toPostgresConfig } from '@burgee/server/core/options/database-options'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { classifyDbError } from '@burgee/storage/errors'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { haveDebian, whereIs } from '../setup/debian.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'
import { postgresOwner } from '../support/postgres-cluster.ts'
import { until } from '../support/wait.ts'

const IS_THERE = haveDebian(['pgbouncer'], ['pgbouncer'])

/** PgBouncer as packaged by Debian, except for the mode. */
describe.skipIf(!IS_THERE)('PgBouncer', () => {
  const folder = temporaryFolder()
  let place: FreshDatabase
  let pooler: ChildProcess | undefined
  beforeAll(async () => {
    place = await freshDatabase()
  })
  afterEach(async () => {
    pooler?.kill('SIGINT')
    pooler = undefined
  })

  /** Starts a pooler in front of the database. Returns the URL of the database through the pooler. */
  async function startPooler(mode: string, poolSize = 20): Promise<string> {
    const target = new URL(place.url)
    const port = await findFreePort('127.0.0.1')
    const file = join(folder.path, `${mode}.ini`)
    const users = join(folder.path, 'users.txt')
    writeFileSync(users, '"postgres" ""\n')
    writeFileSync(
      file,
      [
        '[databases]',
        `* = host=${target.hostname} port=${target.port}`,
        '[pgbouncer]',
        `listen_addr = 127.0.0.1`,
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = trust',
        `auth_file = ${users}`,
        `pool_mode = ${mode}`,
        `default_pool_size = ${poolSize}`,
        'admin_users = postgres',
        'server_login_retry = 1',
      ].join('\n'),
    )
    chmodSync(folder.path, 0o755)
    pooler = spawn(whereIs('pgbouncer') ?? '', [file], { ...postgresOwner(), stdio: 'ignore' })
    const url = new URL(place.url)
    url.port = String(port)
    await until(async () => {
      const look = await postgresLook(url.href)
      await look.close()
      return true
    })
    return url.href
  }

  test('works in session mode, and keeps schema and time limits', async () => {
    const url = await startPooler('session')
    const open = (schema: string) => {
      const env = { DATABASE_URL: url, DATABASE_SCHEMA: schema, DATABASE_POOL_MAX: '4' }
      const config = toPostgresConfig(parseOptions(DATABASE_OPTIONS, { env }))
      if (config === undefined) throw new Error('no PostgreSQL')
      return openPostgres(config, { clock: Date.now })
    }
    const [one, two] = [await open('team_a'), await open('team_b')]
    await one.write((tx) => tx.insertInto('settings').values({ name: 'of one', value: 'x' }).execute())
    const found = await two.reader.selectFrom('settings').select('value').where('name', '=', 'of one').execute()
    expect(found).toEqual([])
    const limits = await one.write((tx) =>
      sql<{ idle: string }>`select current_setting('idle_in_transaction_session_timeout') as idle`.execute(tx),
    )
    expect(limits.rows).toEqual([{ idle: '10s' }])
    await one.close()
    await two.close()
  })

  test('a paused PgBouncer without sessions refuses changes, and takes them within ten seconds after', async () => {
    const url = await startPooler('session')
    const db = await openPostgres({ connection: { connectionString: url }, poolSize: 4 }, { clock: Date.now })
    const put = (name: string) => db.write((tx) => tx.insertInto('settings').values({ name, value: 'x' }).execute())
    await put('before the pause')
    const administration = new URL(url)
    administration.pathname = '/pgbouncer'
    const look = await postgresLook(administration.href)
    const name = new URL(url).pathname.slice(1)
    await look.rows(`KILL ${name}`)
    const error = await put('in the pause').catch((reason: unknown) => reason)
    expect(classifyDbError(error)).toBe('unavailable')
    await look.rows(`RESUME ${name}`)
    const began = performance.now()
    await until(() => put(`after ${performance.now()}`).then(() => true), 10_000)
    expect(performance.now() - began).toBeLessThan(10_000)
    await look.close()
    await db.close()
  }, 60_000)

  test('ends the start with the required number if it has too few sessions', async () => {
    const url = await startPooler('session', 2)
    const opening = openPostgres({ connection: { connectionString: url }, poolSize: 10 }, { clock: Date.now })
    await expect(opening).rejects.toThrow(/gave this server 2 of 12 sessions.*default_pool_size to 12/)
  })

  test('works with a warning if it has fewer sessions than a busy server needs', async () => {
    const url = await startPooler('session', 6)
    const warnings: string[] = []
    const warn = (line: string): void => void warnings.push(line)
    const db = await openPostgres({ connection: { connectionString: url }, poolSize: 10 }, { clock: Date.now, warn })
    expect(warnings).toEqual([expect.stringMatching(/gave this server 6 of 12 sessions/)])
    await db.write((tx) => tx.insertInto('settings').values({ name: 'in a small pool', value: 'x' }).execute())
    await db.close()
  })

  test.each(['transaction', 'statement'])('ends the start with one sentence in %s mode', async (mode) => {
    const url = await startPooler(mode)
    const opening = openPostgres({ connection: { connectionString: url }, poolSize: 4 }, { clock: Date.now })
    await expect(opening).rejects.toThrow(/does not preserve sessions: set pool_mode = session/)
    const look = await postgresLook(url)
    expect(await look.rows('show default_transaction_read_only')).toEqual([{ default_transaction_read_only: 'off' }])
    await look.close()
  })
})
