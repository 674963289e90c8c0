import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type BurgeeProcess, COMMAND, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { freshDatabase, postgresLook } from '../support/postgres.ts'
import { sqliteLook, type TestDatabase } from '../support/test-database.ts'
import { until } from '../support/wait.ts'

/** The first login is never lost, and a forgotten password can be reset on the command line. */
const folder = temporaryFolder()
const running: BurgeeProcess[] = []
const ends: (() => Promise<void>)[] = []
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL')
})
afterAll(async () => {
  for (const end of ends) await end()
  folder.remove()
})

type Env = Readonly<Record<string, string>>

function run(args: readonly string[], env: Env, command?: string): BurgeeProcess {
  const one = runBurgee(args, { HTTP_PORT: '0', HTTP_HOST: '127.0.0.1', PROXY_PORT: '0', ...env }, command)
  running.push(one)
  return one
}

/** Creates a database of this kind, and the environment variables that select it. */
async function place(kind: 'sqlite' | 'postgres'): Promise<{ env: Env; look: () => Promise<TestDatabase> }> {
  if (kind === 'sqlite') {
    const dataDir = join(folder.path, `place-${ends.length}-${running.length}-${Math.random()}`)
    return { env: { DATA_DIR: dataDir }, look: async () => sqliteLook(join(dataDir, 'burgee.sqlite')) }
  }
  const { url, remove } = await freshDatabase()
  ends.push(remove)
  return { env: { DATABASE_URL: url }, look: () => postgresLook(url) }
}

interface Started {
  readonly process: BurgeeProcess
  readonly login: (username: string, password: string) => Promise<Response>
  readonly base: string
}

async function start(env: Env, command?: string): Promise<Started> {
  const process = run(['server'], env, command)
  const base = `http://127.0.0.1:${await process.find(/listening on port (\d+)/)}`
  const login = (username: string, password: string) =>
    fetch(`${base}/auth/simple/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
  return { process, login, base }
}

const passwordOf = ({ process }: Started) => process.find(/First login: admin \/ (\S{12,})/)

async function stop({ process }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  process.kill(signal)
  await process.ended
}

/** Returns true if a first start has created its administrator account. */
async function hasAdministrator(dataDir: string): Promise<boolean> {
  if (!existsSync(join(dataDir, 'burgee.sqlite'))) return false
  const db = sqliteLook(join(dataDir, 'burgee.sqlite'))
  try {
    return (await db.rows('select id from users')).length === 1
  } catch {
    // no tables yet
    return false
  } finally {
    await db.close()
  }
}

test.each(['sqlite', 'postgres'] as const)('the command makes passwords costly to guess: %s', async (kind) => {
  const { env, look } = await place(kind)
  const started = await start(env, COMMAND)
  const db = await look()
  expect(await db.row('select password_hash from users')).toEqual({
    password_hash: expect.stringMatching(/^scrypt\$32768\$8\$3\$/),
  })
  await db.close()
  await stop(started)
})

describe('on sqlite', () => {
  test('each start generates a new password until the first login', { timeout: 90_000 }, async () => {
    const { env } = await place('sqlite')
    const first = await start(env)
    const lost = await passwordOf(first)
    await stop(first, 'SIGKILL')
    const second = await start(env)
    const shown = await passwordOf(second)
    expect(shown).not.toBe(lost)
    expect(await second.process.find(/First login: .*/)).toMatch(/new password.*no one has logged in/)
    expect((await second.login('admin', lost)).status).toBe(401)
    expect((await second.login('admin', shown)).status).toBe(200)
    await stop(second)
    const third = await start(env)
    expect((await third.login('admin', shown)).status).toBe(200)
    expect(third.process.output()).not.toContain('First login')
    await stop(third)
  })

  test.each<[string, (dataDir: string) => Promise<boolean>]>([
    ['the file is there', async (dataDir) => existsSync(join(dataDir, 'burgee.sqlite'))],
    ['the administrator is there, and nothing printed', hasAdministrator],
  ])('a kill as soon as %s leaves a way in', { timeout: 90_000 }, async (_name, isDue) => {
    const dataDir = join(folder.path, `killed-${_name.length}`)
    const killed = run(['server'], { DATA_DIR: dataDir })
    await until(() => isDue(dataDir))
    killed.kill('SIGKILL')
    await killed.ended
    const second = await start({ DATA_DIR: dataDir })
    expect((await second.login('admin', await passwordOf(second))).status).toBe(200)
    await stop(second)
  })

  test('burgee start prints it too', async () => {
    const { env } = await place('sqlite')
    const first = run(['start'], env)
    await first.find(/Login {4}admin \/ (\S{12,}) {3}\(shown only this once\)/)
    first.kill('SIGTERM')
    await first.ended
    const second = run(['start'], env)
    await second.find(/Login {4}admin \/ (\S{12,}) {3}\(new password.*\)/)
    await second.find(/Stop with Ctrl-C/)
  })
})

describe('on postgres', () => {
  test('servers that start together print one password, which goes on', { timeout: 120_000 }, async () => {
    const { env } = await place('postgres')
    const nodes = await Promise.all([start(env), start(env), start(env)])
    for (const node of nodes) await node.process.find(/First login: .*/)
    const printed = nodes.flatMap(
      ({ process }) =>
        /First login: admin \/ (\S{12,}) {3}\(shown only this once\)\n/.exec(process.output())?.[1] ?? [],
    )
    expect(printed).toHaveLength(1)
    const others = nodes.filter(({ process }) => !process.output().includes(printed[0] ?? 'none'))
    expect(others).toHaveLength(2)
    for (const { process } of others) {
      expect(process.output()).toMatch(/First login: admin, .*another server.*burgee reset-password admin/)
    }
    for (const node of nodes) expect((await node.login('admin', printed[0] ?? '')).status).toBe(200)
    const later = await start(env)
    expect(later.process.output()).not.toContain('First login')
  })
})

describe.each(['sqlite', 'postgres'] as const)('burgee reset-password on %s', (kind) => {
  const reset = async (env: Env, ...args: string[]) => {
    const process = run(['reset-password', ...args], env)
    const code = await process.ended
    return { code, output: process.output(), errors: process.errors() }
  }
  const madeUp = (output: string) => /admin \/ (\S{12,})/.exec(output)?.[1] ?? ''

  test('works while the server runs: the old password and its sessions end at once, and an event names the actor', async () => {
    const { env, look } = await place(kind)
    const server = await start({ ...env, DEFAULT_ADMIN_PASSWORD: 'a good password' })
    const before = await server.login('admin', 'a good password')
    const cookie = before.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const user = async () => (await fetch(`${server.base}/api/admin/user`, { headers: { cookie } })).status
    expect(await user()).toBe(200)
    const { code, output, errors } = await reset(env)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(await user()).toBe(401)
    expect((await server.login('admin', 'a good password')).status).toBe(401)
    const after = await server.login('admin', madeUp(output))
    expect(after.status).toBe(200)
    expect(await after.json()).toMatchObject({ mustChangePassword: true })
    // the server can still write afterwards
    const db = await look()
    const [event] = await db.rows('select type, created_by, data from events order by id desc limit 1')
    expect(event).toMatchObject({ type: 'user-updated', created_by: 'burgee reset-password (command line)' })
    expect(JSON.stringify(event)).not.toContain(madeUp(output))
    await db.close()
    await stop(server)
  })

  test('works while the server stands still, for a name or an e-mail address', async () => {
    const { env } = await place(kind)
    const first = await start(env)
    await passwordOf(first)
    await stop(first)
    const { code, output } = await reset(env, 'admin')
    expect(code).toBe(0)
    const second = await start(env)
    expect(second.process.output()).not.toContain('First login')
    expect((await second.login('admin', madeUp(output))).status).toBe(200)
    await stop(second)
  })

  test('lists the users when the name is wrong, and when there are several administrators', async () => {
    const { env } = await place(kind)
    const token = '*:*.admin-secret'
    const server = await start({ ...env, DEFAULT_ADMIN_PASSWORD: 'a good password', INIT_ADMIN_API_TOKENS: token })
    const wrong = await reset(env, 'nobody')
    expect(wrong).toMatchObject({ code: 1, output: '' })
    expect(wrong.errors).toMatch(/^There is no user "nobody"\. There are: admin\.\n$/)
    const made = await fetch(`${server.base}/api/admin/user-admin`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'second@example.com', password: 'another good one', rootRole: 1 }),
    })
    expect(made.status).toBe(201)
    const several = await reset(env)
    expect(several).toMatchObject({ code: 1, output: '' })
    expect(several.errors).toMatch(
      /several administrators: admin, second@example\.com\. .*burgee reset-password <name>/,
    )
    const second = await reset(env, 'SECOND@example.com')
    expect(second.output).toMatch(/second@example\.com \/ \S{12,}/)
    await stop(server)
  })

  test('makes nothing where there is no database', async () => {
    const { env, look } = await place(kind)
    const { code, errors } = await reset(env)
    expect(code).toBe(1)
    expect(errors).toMatch(
      kind === 'sqlite' ? /There is no database in .*\(DATA_DIR, --data-dir\)/ : /has no Burgee tables/,
    )
    if (kind === 'sqlite') return
    const db = await look()
    expect(await db.rows("select tablename from pg_tables where schemaname = 'public'")).toEqual([])
    await db.close()
  })
})

test('burgee reset-password --help explains its purpose and how to find the database', async () => {
  const help = run(['reset-password', '--help'], {})
  expect(await help.ended).toBe(0)
  expect(help.output()).toMatch(/burgee reset-password \[name\]/)
  expect(help.output()).toMatch(/--data-dir <value>/)
  expect(help.output()).toMatch(/--database-url <value>/)
  expect(help.output()).not.toMatch(/--session-ttl-hours/)
})

test('an empty directory is no database, and stays empty', async () => {
  const dataDir = join(folder.path, 'empty')
  mkdirSync(dataDir)
  const process = run(['reset-password'], { DATA_DIR: dataDir })
  expect(await process.ended).toBe(1)
  expect(process.errors()).toContain(dataDir)
})
