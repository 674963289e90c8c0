import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseOptions } from '@burgee/kit/options/options'
import { DATABASE_OPTIONS, type PasswordSource, toPostgresConfig } from '@burgee/server/core/options/database-options'
import type { Database } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { type LoneServer, startLone } from '../support/postgres-pair.ts'
import { until } from '../support/wait.ts'

/** Passwords that change while a node runs. PostgreSQL requires them. */
const ROLE = 'flags_user'
const DATABASE = 'flags'
const OLD = 'the old one'
const NEW = 'the new one'

const folder = temporaryFolder()
const file = join(folder.path, 'secret')
let server: LoneServer
let warnings: string[]
beforeAll(async () => {
  server = await startLone()
  await server.sql(`create role ${ROLE} login`)
  await server.sql(`create database ${DATABASE} owner ${ROLE}`)
}, 60_000)
afterAll(async () => {
  await server.close()
  folder.remove()
})
beforeEach(async () => {
  warnings = []
  await setPassword(OLD)
})

const setPassword = (password: string) => server.sql(`alter role ${ROLE} password '${password}'`)
const endSessions = () => server.sql(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`)
const urlWith = (password: string) =>
  `postgres://${ROLE}:${encodeURIComponent(password)}@${server.host}:${server.port}/${DATABASE}`

async function open(sources: { env?: Record<string, string>; given?: object }): Promise<Database> {
  const config = toPostgresConfig(parseOptions(DATABASE_OPTIONS, sources))
  if (config === undefined) throw new Error('no PostgreSQL')
  const warn = (line: string): void => void warnings.push(line)
  return openPostgres({ ...config, poolSize: 3 }, { clock: Date.now, warn })
}

const read = (db: Database) => db.reader.selectFrom('settings').select('name').execute()
const write = (db: Database) =>
  db.write((tx) => tx.updateTable('settings').set({ value: 'x' }).where('name', '=', 'none').execute())
const backend = (db: Database) =>
  db.write(async (tx) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]?.pid)

const at = () => ({ DATABASE_HOST: server.host, DATABASE_PORT: String(server.port), DATABASE_NAME: DATABASE })

describe.each([
  {
    way: 'DATABASE_PASSWORD_FILE',
    hold: (password: string) => writeFileSync(file, `${password}\n`),
    open: () => open({ env: { ...at(), DATABASE_USERNAME: ROLE, DATABASE_PASSWORD_FILE: file } }),
  },
  {
    way: 'DATABASE_URL_FILE',
    hold: (password: string) => writeFileSync(file, urlWith(password)),
    open: () => open({ env: { DATABASE_URL_FILE: file } }),
  },
])('a password in $way', ({ hold, open }) => {
  test('applies to new connections after a rotation, and open ones stay', async () => {
    hold(OLD)
    const db = await open()
    const before = await backend(db)
    await setPassword(NEW)
    hold(NEW)
    expect(await backend(db)).toBe(before)
    await endSessions()
    await read(db)
    await write(db)
    expect(await backend(db)).not.toBe(before)
    await db.close()
  })

  test('stays the last good one while the file is empty or away', async () => {
    hold(OLD)
    const db = await open()
    writeFileSync(file, '')
    await endSessions()
    await read(db)
    await write(db)
    await db.close()
  })

  test('leads to refused changes with the reason after a late rotation, and works again without a restart', async () => {
    hold(OLD)
    const db = await open()
    await setPassword(NEW)
    await endSessions()
    await expect(write(db)).rejects.toThrow()
    await expect(write(db)).rejects.toThrow(/password authentication failed/)
    expect(db.server?.().refusal?.reason).toMatch(/rejects the user or the password/)
    hold(NEW)
    await write(db)
    expect(db.server?.().refusal).toBeUndefined()
    await db.close()
  })
})

describe('a password from a function', () => {
  const openWith = (databasePassword: PasswordSource) => {
    const place = { databaseHost: server.host, databasePort: server.port, databaseName: DATABASE }
    return open({ given: { ...place, databaseUsername: ROLE, databasePassword } })
  }

  test('gets fetched for each new connection, and once more after a rejection', async () => {
    const tokens = [OLD]
    let asked = 0
    const db = await openWith(async () => {
      asked += 1
      return tokens.length > 1 ? String(tokens.shift()) : String(tokens[0])
    })
    await setPassword(NEW)
    tokens.splice(0, 1, 'an expired one', NEW)
    await endSessions()
    const before = asked
    await until(() => write(db).then(() => true))
    expect(asked - before).toBeGreaterThan(1)
    await db.close()
  })

  test('causes one log line when the function fails, and further attempts', async () => {
    let isBroken = false
    const db = await openWith(() => {
      if (isBroken) throw new Error('the vault is sealed')
      return OLD
    })
    isBroken = true
    await endSessions()
    await expect(write(db)).rejects.toThrow()
    await expect(write(db)).rejects.toThrow('The password for the database could not be obtained')
    expect(warnings.filter((line) => line.includes('the vault is sealed'))).toHaveLength(1)
    isBroken = false
    await write(db)
    await db.close()
  })
})
