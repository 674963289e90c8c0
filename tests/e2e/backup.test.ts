import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { freshDatabase } from '../support/postgres.ts'
import { sqliteLook } from '../support/test-database.ts'
import { until } from '../support/wait.ts'

/** P10: a backup contains everything that was acknowledged before it, and a restored server serves this again. */
const folder = temporaryFolder()
const running: BurgeeProcess[] = []
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL')
})
afterAll(() => folder.remove())

const ADMIN = '*:*.0123456789abcdef0123456789abcdef0123456789abcdef'
const CLIENT = '*:development.fedcba9876543210fedcba9876543210fedcba9876543210'
let places = 0

function place(): { readonly env: Readonly<Record<string, string>>; readonly dataDir: string; readonly file: string } {
  places += 1
  const dataDir = join(folder.path, `data-${places}`)
  const env = {
    DATA_DIR: dataDir,
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
  }
  return { env, dataDir, file: join(folder.path, `copy-${places}.sqlite`) }
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): BurgeeProcess {
  const one = runBurgee(args, env)
  running.push(one)
  return one
}

async function done(args: readonly string[], env: Readonly<Record<string, string>>) {
  const one = run(args, env)
  return { code: await one.ended, text: one.output() + one.errors() }
}

async function start(env: Readonly<Record<string, string>>) {
  const process = run(['server'], env)
  const base = `http://127.0.0.1:${await process.find(/listening on port (\d+)/)}`
  const create = async (name: string): Promise<void> => {
    const reply = await fetch(`${base}/api/admin/projects/default/features`, {
      method: 'POST',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    if (reply.status !== 201) throw new Error(`${reply.status} ${await reply.text()}`)
  }
  const download = async (tag?: string) => {
    const headers = { authorization: CLIENT, ...(tag === undefined ? {} : { 'if-none-match': tag }) }
    const reply = await fetch(`${base}/api/client/features`, { headers })
    const { features } = (reply.status === 200 ? await reply.json() : { features: [] }) as {
      features: { name: string }[]
    }
    return {
      status: reply.status,
      tag: reply.headers.get('etag') ?? '',
      names: features.map(({ name }) => name).sort(),
    }
  }
  return { process, create, download, stop: () => stopped(process, 'SIGTERM') }
}

async function stopped(process: BurgeeProcess, signal: NodeJS.Signals): Promise<void> {
  process.kill(signal)
  await process.ended
}

describe('a backup that is made while writers run', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'holds every change acknowledged before, and SDKs take it for new after a restore (%s)',
    async (signal) => {
      const { env, dataDir, file } = place()
      const server = await start(env)
      const acknowledged: string[] = []
      let isWriting = true
      const writers = [0, 1, 2, 3].map(async (writer) => {
        for (let number = 0; isWriting; number += 1) {
          await server.create(`flag-${writer}-${number}`)
          acknowledged.push(`flag-${writer}-${number}`)
        }
      })
      await until(() => acknowledged.length > 100)
      const before = [...acknowledged]
      const backup = await done(['backup', file], env)
      expect(backup).toMatchObject({ code: 0, text: expect.stringMatching(/^Backed up .* up to event \d+ of/) })
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
      await until(() => acknowledged.length > before.length + 20)
      isWriting = false
      await Promise.all(writers)
      const lost = await server.download()
      await stopped(server.process, signal)

      const restored = await done(['restore', file], env)
      expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('was moved to') })
      const kept = /was moved to (\S+);/.exec(restored.text)?.[1] ?? ''
      const look = sqliteLook(kept)
      expect(await look.row('select count(*) as count from features')).toEqual({ count: acknowledged.length })
      await look.close()

      const again = await start(env)
      const found = await again.download(lost.tag)
      expect(found.status).toBe(200)
      expect(before.filter((name) => !found.names.includes(name))).toEqual([])
      expect(found.names.length).toBeLessThan(acknowledged.length)
      expect(again.process.output()).toContain('A new epoch has begun')
      await again.create('after')
      expect((await again.download(found.tag)).names).toContain('after')
      await again.stop()
      expect(readdirSync(dataDir).filter((name) => /partial|restoring/.test(name))).toEqual([])
    },
  )

  test('can be restored where nothing was, with the keys beside it', async () => {
    const { env, dataDir, file } = place()
    const server = await start(env)
    await server.create('kept')
    writeFileSync(join(dataDir, 'client-key'), 'key-of-pages\n')
    writeFileSync(join(dataDir, 'secret-key'), 'key-of-secrets\n')
    expect(await done(['backup', file], env)).toMatchObject({ code: 0 })
    expect((statSync(`${file}.client-key`).mode & 0o077).toString(8)).toBe('0')
    expect((statSync(`${file}.secret-key`).mode & 0o077).toString(8)).toBe('0')
    await server.stop()
    const elsewhere = { ...env, DATA_DIR: join(folder.path, 'elsewhere', 'deep') }
    expect(await done(['restore', file], elsewhere)).toMatchObject({ code: 0 })
    expect(readFileSync(join(elsewhere.DATA_DIR, 'client-key'), 'utf8')).toBe('key-of-pages\n')
    expect(readFileSync(join(elsewhere.DATA_DIR, 'secret-key'), 'utf8')).toBe('key-of-secrets\n')
    const again = await start(elsewhere)
    expect((await again.download()).names).toEqual(['kept'])
    await again.stop()
    // secrets in the backup need the key in the backup, and secrets in the replaced database need the previous key
    writeFileSync(join(elsewhere.DATA_DIR, 'secret-key'), 'another\n')
    expect(await done(['restore', file], elsewhere)).toMatchObject({ code: 0 })
    expect(readFileSync(join(elsewhere.DATA_DIR, 'secret-key'), 'utf8')).toBe('key-of-secrets\n')
    expect(readdirSync(elsewhere.DATA_DIR).filter((name) => /^secret-key-before-/.test(name))).toHaveLength(1)
  })
})

test('a database that could not give room back can, once it was restored', async () => {
  const { env, dataDir, file } = place()
  await (await start(env)).stop()
  const old = sqliteLook(join(dataDir, 'burgee.sqlite'))
  await old.rows('PRAGMA journal_mode=DELETE')
  await old.rows('PRAGMA auto_vacuum=NONE')
  await old.rows('VACUUM')
  expect(await old.row('PRAGMA auto_vacuum')).toEqual({ auto_vacuum: 0 })
  await old.close()
  expect(await done(['backup', file], env)).toMatchObject({ code: 0 })
  expect(await done(['restore', file], env)).toMatchObject({ code: 0 })
  const restored = sqliteLook(join(dataDir, 'burgee.sqlite'))
  expect(await restored.row('PRAGMA auto_vacuum')).toEqual({ auto_vacuum: 2 })
  await restored.close()
})

describe('a refused command changes nothing', () => {
  test('a backup: no database, no name, a file that is there, a folder that is not', async () => {
    const { env, file } = place()
    expect(await done(['backup', file], env)).toMatchObject({
      code: 1,
      text: expect.stringContaining('no database in'),
    })
    expect(await done(['backup'], env)).toMatchObject({ code: 1, text: expect.stringContaining('burgee backup FILE') })
    await (await start(env)).stop()
    writeFileSync(file, 'something')
    expect(await done(['backup', file], env)).toMatchObject({
      code: 1,
      text: expect.stringContaining('already exists'),
    })
    expect(readFileSync(file, 'utf8')).toBe('something')
    const nowhere = join(folder.path, 'nowhere', 'copy.sqlite')
    expect(await done(['backup', nowhere], env)).toMatchObject({ code: 1, text: expect.stringContaining(nowhere) })
  })

  test('a restore beneath a running server', async () => {
    const { env, dataDir, file } = place()
    const server = await start(env)
    expect(await done(['backup', file], env)).toMatchObject({ code: 0 })
    const said = await done(['restore', file], env)
    expect(said).toMatchObject({
      code: 1,
      text: expect.stringContaining(`in use by the process ${server.process.pid}`),
    })
    expect(readdirSync(dataDir).filter((name) => name.includes('before'))).toEqual([])
    await server.create('still')
    await server.stop()
  })

  test('a restore from a file that is none of ours, damaged, newer or not there', async () => {
    const { env, dataDir, file } = place()
    const server = await start(env)
    for (let number = 0; number < 50; number += 1) await server.create(`flag-${number}`)
    expect(await done(['backup', file], env)).toMatchObject({ code: 0 })
    await server.stop()
    const before = readFileSync(join(dataDir, 'burgee.sqlite'))
    const made = (name: string) => join(folder.path, `${places}-${name}.sqlite`)
    const whole = readFileSync(file)
    writeFileSync(made('text'), 'no database at all, but long enough to look at, in many words')
    writeFileSync(made('cut'), whole.subarray(0, whole.length / 2))
    writeFileSync(made('newer'), whole)
    const newer = sqliteLook(made('newer'))
    await newer.rows("insert into kysely_migration (name, timestamp) values ('9999-later', '2030')")
    await newer.close()
    const foreign = sqliteLook(made('foreign'))
    await foreign.rows('create table notes (text text)')
    await foreign.close()
    for (const [name, says] of [
      ['text', 'not an intact SQLite database'],
      ['cut', 'made'],
      ['newer', 'newer Burgee'],
      ['foreign', 'not a backup of Burgee'],
      ['gone', 'There is no file'],
    ] as const) {
      const said = await done(['restore', made(name)], env)
      expect([name, said.code]).toEqual([name, 1])
      if (name !== 'cut') expect(said.text).toContain(says)
    }
    expect(readFileSync(join(dataDir, 'burgee.sqlite')).equals(before)).toBe(true)
    await (await start(env)).stop()
  })

  test('on PostgreSQL both name its own tools, with code 2', async () => {
    const { file } = place()
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }
    expect(await done(['backup', file], env)).toMatchObject({ code: 2, text: expect.stringContaining('pg_dump') })
    expect(await done(['restore', file], env)).toMatchObject({ code: 2, text: expect.stringContaining('pg_restore') })
    expect(existsSync(file)).toBe(false)
  })
})

describe('burgee doctor', () => {
  interface Said {
    readonly checks: readonly { readonly name: string; readonly status: string; readonly detail: string }[]
  }

  async function examined(env: Readonly<Record<string, string>>) {
    const { code, text } = await done(['doctor', '--json'], env)
    const { checks } = JSON.parse(text) as Said
    return { code, of: new Map(checks.map(({ name, ...finding }) => [name, finding])) }
  }

  test('a sound place: everything is ok, before, during and after a server runs', async () => {
    const { env, dataDir } = place()
    mkdirSync(dataDir, { mode: 0o700 })
    expect((await examined(env)).of.get('integrity')).toMatchObject({ status: 'warn' })
    const server = await start(env)
    const port = /port (\d+)/.exec(server.process.output())?.[1] ?? ''
    const during = await examined({ ...env, HTTP_PORT: port })
    expect(during.code).toBe(0)
    expect(during.of.get('port')).toEqual({
      status: 'ok',
      detail: `${port} is in use by the process ${server.process.pid}, which serves the data directory`,
    })
    await server.stop()
    const after = await examined(env)
    expect([after.code, [...after.of].filter(([, { status }]) => status === 'fail')]).toEqual([0, []])
    expect(after.of.get('integrity')?.status).toBe('ok')
    expect(after.of.get('clock')?.status).toBe('ok')
    expect(after.of.get('roles in all environments')?.status).toBe('ok')
    const { code, text } = await done(['doctor'], env)
    expect([code, text]).toEqual([0, expect.stringMatching(/^ok +integrity /m)])
  })

  test('reports problems: options, port, permissions, clock, flags, damage', async () => {
    const { env, dataDir } = place()
    const server = await start(env)
    await server.create('open')
    const port = /port (\d+)/.exec(server.process.output())?.[1] ?? ''
    await server.stop()
    const look = sqliteLook(join(dataDir, 'burgee.sqlite'))
    await look.rows("update feature_environments set enabled = 1 where environment = 'development'")
    await look.rows('update events set created_at = created_at + 86400000')
    const constraints = [{ contextName: 'x', operator: 'NUM_GT', values: [], value: '.5' }]
    await look.rows(
      `insert into segments (name, description, project, constraints, created_by, created_at) values ('half', null, null, ?, 'x', 0)`,
      JSON.stringify(constraints),
    )
    await look.close()
    const other = await start({ ...place().env, HTTP_PORT: port })
    const { code, of } = await examined({ ...env, HTTP_PORT: port, UNLEASH_SECRET: 'x', CDN_PREFIX: 'x' })
    expect(code).toBe(1)
    expect(of.get('options')).toMatchObject({ status: 'warn', detail: 'without effect: CDN_PREFIX, UNLEASH_SECRET' })
    expect(of.get('port')).toMatchObject({ status: 'warn', detail: expect.stringContaining(`${other.process.pid}`) })
    expect(of.get('clock')).toMatchObject({ status: 'fail', detail: expect.stringContaining('correct the clock') })
    expect(of.get('constraint values')).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('the segment "half", x NUM_GT: Has a form that SDKs interpret differently'),
    })
    expect(of.get('on without a strategy')).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('open in development (on for everyone)'),
    })
    await other.stop()
    writeFileSync(join(dataDir, 'burgee.sqlite'), 'x'.repeat(10_000))
    expect((await examined(env)).of.get('integrity')).toMatchObject({ status: 'fail' })
  })

  test('PostgreSQL: reached or not', async () => {
    const { url, remove } = await freshDatabase()
    const env = { DATABASE_URL: url, HTTP_PORT: '0' }
    const empty = await examined(env)
    expect([empty.code, empty.of.get('migrations')?.status]).toEqual([1, 'fail'])
    await (await start({ ...env, HTTP_HOST: '127.0.0.1' })).stop()
    const found = await examined(env)
    expect([found.code, found.of.get('migrations')?.status, found.of.get('clock')?.status]).toEqual([0, 'ok', 'ok'])
    await remove()
    expect((await examined(env)).of.get('migrations')).toMatchObject({ status: 'fail' })
  })
})
