import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type BurgeeServer, createServer } from '@burgee/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { recordBeginning } from '../../packages/storage/src/drivers/sqlite/commit-marker.ts'
import { optionsOf } from '../http/scenario.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { keptLog } from '../support/kept-log.ts'
import { CHEAP } from '../support/password-cost.ts'
import { sqliteLook } from '../support/test-database.ts'
import { until } from '../support/wait.ts'
import { startChild } from './child.ts'

const newSecret = () => randomBytes(32).toString('hex')
const ADMIN = `*:*.${newSecret()}`
const CLIENT = `*:development.${newSecret()}`
const FILE = 'burgee.sqlite'
const WAL = `${FILE}-wal`
const WITNESS = 'burgee.witness'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const running: BurgeeServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

async function start(dataDir: string, log = keptLog()) {
  const options = optionsOf({
    dataDir,
    port: 0,
    host: '127.0.0.1',
    defaultAdminPassword: 'a good password',
    serverMetrics: false,
    initAdminApiTokens: [ADMIN],
    initClientApiTokens: [CLIENT],
  })
  const server = await createServer({
    options,
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: randomBytes,
    logger: log.logger,
    passwordCost: CHEAP,
  })
  running.push(server)
  const send = (method: 'GET' | 'POST', url: string, authorization: string, more: object = {}) =>
    server.app.inject({ method, url, headers: { authorization, ...more } })
  return {
    server,
    lines: log.lines,
    create: (name: string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/admin/projects/default/features',
        headers: { authorization: ADMIN },
        payload: { name },
      }),
    download: (etag?: string) =>
      send('GET', '/api/client/features', CLIENT, etag === undefined ? {} : { 'if-none-match': etag }),
    ready: () => server.app.inject({ url: '/ready' }),
  }
}

const namesOf = (body: string): string[] => (JSON.parse(body).features as { name: string }[]).map(({ name }) => name)

/** Returns the exact contents of a directory, except for the lock and SQLite's files for readers. */
const contentOf = (directory: string) =>
  readdirSync(directory)
    .filter(
      (name) => name === FILE || name === WITNESS || (name === WAL && readFileSync(join(directory, name)).length > 0),
    )
    .map((name) => [name, readFileSync(join(directory, name)).toString('base64')])

describe('a start on what a server left behind that did not end in good order', () => {
  /** Directory with the flag `kept` in the database file and the flag `logged` only in the write-ahead log. */
  const left = join(folder.path, 'left')
  /** Directory of a server that was killed before anything was moved from the log to the database file. */
  const young = join(folder.path, 'young')

  beforeAll(async () => {
    // the copy has the state after a kill, because every write is on disk before its reply
    const directory = join(folder.path, 'living')
    const { create } = await start(directory)
    cpSync(directory, young, { recursive: true, filter: (path) => !path.endsWith('.sock') })
    expect((await create('kept')).statusCode).toBe(201)
    const other = new DatabaseSync(join(directory, FILE))
    expect(other.prepare('pragma wal_checkpoint(truncate)').get()).toMatchObject({ busy: 0 })
    other.close()
    expect((await create('logged')).statusCode).toBe(201)
    cpSync(directory, left, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  })

  const remove = (name: string) => (directory: string) => rmSync(join(directory, name))
  const overwrite = (at: number, bytes: number) => (directory: string) => {
    const path = join(directory, FILE)
    const content = readFileSync(path)
    content.fill(0xee, at, at + bytes)
    writeFileSync(path, content)
  }
  const withoutLog = (change: (directory: string) => void) => (directory: string) => {
    const db = new DatabaseSync(join(directory, FILE))
    db.prepare('select count(*) from events').get()
    db.close()
    change(directory)
  }

  test.each<[string, string, (directory: string) => void, string[]]>([
    ['everything is there', left, () => {}, ['kept', 'logged']],
    [
      'another program has checkpointed the log in the meantime',
      left,
      withoutLog((directory) => expect(existsSync(join(directory, WAL))).toBe(false)),
      ['kept', 'logged'],
    ],
    ['there is no witness', left, remove(WITNESS), ['kept', 'logged']],
    [
      'the witness cannot be read',
      left,
      (directory) => writeFileSync(join(directory, WITNESS), '{"epoch":'),
      ['kept', 'logged'],
    ],
    [
      'the log is missing and so is the witness: the operator goes on with what is there',
      left,
      (directory) => {
        for (const name of [WAL, WITNESS]) rmSync(join(directory, name))
      },
      ['kept'],
    ],
    [
      'nothing but the lock was made',
      young,
      (directory) => {
        for (const name of readdirSync(directory)) rmSync(join(directory, name))
      },
      [],
    ],
    [
      'the server that made the file was killed before there was a log',
      young,
      (directory) => {
        for (const name of readdirSync(directory)) rmSync(join(directory, name))
        recordBeginning(join(directory, WITNESS))
        new DatabaseSync(join(directory, FILE)).exec('pragma journal_mode = wal')
        rmSync(join(directory, WAL), { force: true })
      },
      [],
    ],
    [
      'an empty file was made',
      young,
      (directory) => {
        for (const name of readdirSync(directory)) rmSync(join(directory, name))
        writeFileSync(join(directory, FILE), '')
      },
      [],
    ],
  ])('%s → it starts', async (name, from, change, names) => {
    const directory = join(folder.path, name.replaceAll(' ', '-'))
    cpSync(from, directory, { recursive: true })
    change(directory)
    const { download } = await start(directory)
    expect(namesOf((await download()).body)).toEqual(names)
  })

  test.each<[string, string, (directory: string) => void, RegExp]>([
    [
      'the log is missing',
      left,
      remove(WAL),
      /lost changes.* event \d+.*burgee\.sqlite-wal, is missing.*remove .*burgee\.witness/,
    ],
    ['the log is cut off', left, (directory) => truncateSync(join(directory, WAL), 0), /lost changes/],
    [
      'the log is another one',
      left,
      (directory) => cpSync(join(young, WAL), join(directory, WAL)),
      /lost changes|is damaged/,
    ],
    ['the log that holds everything is missing', young, remove(WAL), /lost changes|empty without its log/],
    [
      'the log that holds everything and the witness are missing',
      young,
      (directory) => {
        for (const name of [WAL, WITNESS]) rmSync(join(directory, name))
      },
      /empty without its log.*burgee\.sqlite-wal is missing/,
    ],
    [
      'the database is missing',
      left,
      (directory) => {
        for (const name of [FILE, WAL]) rmSync(join(directory, name))
      },
      /does not exist, but it was at event \d+.*remove .*burgee\.witness/,
    ],
    [
      'the database is empty',
      left,
      (directory) => {
        truncateSync(join(directory, FILE), 0)
        rmSync(join(directory, WAL))
      },
      /does not exist/,
    ],
    ['a page is overwritten', left, withoutLog(overwrite(3 * 4096, 4096)), /is damaged.*backup.*\.recover/],
    ['the head is overwritten', left, withoutLog(overwrite(0, 64)), /is damaged \(file is not a database\)/],
    [
      'the end is missing',
      left,
      withoutLog((directory) => truncateSync(join(directory, FILE), 5 * 4096)),
      /is damaged/,
    ],
  ])('%s → it is refused, with what to do, and nothing is changed', async (name, from, change, message) => {
    const directory = join(folder.path, name.replaceAll(' ', '-'))
    cpSync(from, directory, { recursive: true })
    change(directory)
    const before = contentOf(directory)
    for (let time = 0; time < 2; time += 1) {
      const refusal: unknown = await start(directory).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(Error)
      expect((refusal as Error).message).toMatch(message)
      expect((refusal as Error).message).toContain(join(directory, FILE))
    }
    expect(contentOf(directory)).toEqual(before)
  })

  test('after a real kill it starts without a word, in the same epoch; without the log it is refused', async () => {
    const directory = join(folder.path, 'killed')
    const epochOf = async () => {
      const look = sqliteLook(join(directory, FILE))
      const epoch = (await look.row('select epoch from database_epoch'))?.epoch
      await look.close()
      return epoch
    }
    const first = await startChild(directory, ADMIN)
    await first.kill()
    const epoch = await epochOf()
    const { server, lines, create } = await start(directory)
    expect(lines.filter((line) => line.includes(directory))).toEqual([])
    await create('one-more')
    await server.close()
    expect(await epochOf()).toBe(epoch)
    const second = await startChild(directory, ADMIN)
    const headers = { authorization: ADMIN, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'acknowledged' })
    const url = `http://127.0.0.1:${second.port}/api/admin/projects/default/features`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201)
    await second.kill()
    rmSync(join(directory, WAL))
    const third = await startChild(directory, ADMIN)
    expect(third.failed).toContain('has lost changes')
  }, 60_000)
})

describe('while a server runs', () => {
  const GONE = /data directory of the server was removed or replaced/

  test.each<[string, (directory: string) => void]>([
    ['its data directory is removed', (directory) => rmSync(directory, { recursive: true })],
    ['its data directory is moved away', (directory) => renameSync(directory, `${directory}-away`)],
    [
      'its data directory is recreated',
      (directory) => {
        rmSync(directory, { recursive: true })
        mkdirSync(directory)
        writeFileSync(join(directory, FILE), '')
      },
    ],
    [
      'its file is replaced by a copy',
      (directory) => {
        const path = join(directory, FILE)
        cpSync(path, `${path}-copy`)
        renameSync(`${path}-copy`, path)
      },
    ],
    ['its log is removed', (directory) => rmSync(join(directory, WAL))],
  ])('%s: writes are refused, SDKs are served, readiness stays, and the log has one line', async (name, remove) => {
    const directory = join(folder.path, name.replaceAll(' ', '-'))
    const { create, download, ready, lines } = await start(directory)
    expect((await create('before')).statusCode).toBe(201)
    const { headers } = await download()
    expect([(await ready()).statusCode, lines]).toEqual([200, []])
    remove(directory)
    for (let time = 0; time < 3; time += 1) {
      const refused = await create('lost')
      expect(refused.statusCode).toBe(503)
      expect(refused.json()).toMatchObject({ name: 'ServiceUnavailable', message: expect.stringMatching(GONE) })
      expect(refused.body).not.toContain(directory)
      expect(refused.headers['retry-after']).toBe('5')
      const served = await ready()
      expect([served.statusCode, served.json()]).toEqual([
        200,
        { health: 'DEGRADED', database: expect.stringMatching(GONE) },
      ])
      const reply = await download()
      expect([reply.statusCode, namesOf(reply.body)]).toEqual([200, ['before']])
      expect((await download(String(headers.etag))).statusCode).toBe(304)
    }
    await until(() => lines.length > 0)
    // longer than both the polling interval and the delay of usage writes
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(lines).toEqual([expect.stringContaining(`${join(directory, FILE)} was removed or replaced`)])
  })

  test('its data directory comes back: it is ready again, and nothing is missing', async () => {
    const directory = join(folder.path, 'came-back')
    const { server, create, ready } = await start(directory)
    renameSync(directory, `${directory}-away`)
    expect((await create('meanwhile')).statusCode).toBe(503)
    renameSync(`${directory}-away`, directory)
    await until(async () => (await ready()).statusCode === 200)
    expect((await create('afterwards')).statusCode).toBe(201)
    await server.close()
    const look = sqliteLook(join(directory, FILE))
    expect(await look.rows('select name from features')).toEqual([{ name: 'afterwards' }])
    await look.close()
  })
})
