import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, temporaryFolder } from '../support/burgee.ts'
import { type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'
import { openRelay, type Relay, type RelayMode } from '../support/relay.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'
import { runServer, type ServerNode, serverNode, TOKENS } from './server-node.ts'

/** P3: a server that starts while its database is down serves the last good state and reports that it is stale. */
const FEATURES = 'projects/default/features'
const DEGRADED = { status: 200, health: 'DEGRADED' }
const isHealthy = ({ health, database, documents }: Record<string, unknown>) =>
  health === 'GOOD' && database === undefined && documents === undefined
const KEPT_AGAIN_MS = 10_000

let database: FreshDatabase
let relay: Relay
const folder = temporaryFolder()
const running: BurgeeProcess[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const url = new URL(database.url)
  relay = await openRelay({ host: url.hostname, port: Number(url.port) })
})
afterEach(async () => {
  for (const one of running.splice(0)) await ended(one, 'SIGKILL')
  relay.become('through')
})
afterAll(async () => {
  await relay.close()
  await database.remove()
  folder.remove()
})

async function ended(process: BurgeeProcess, signal: NodeJS.Signals): Promise<void> {
  process.kill(signal)
  await process.ended
}

const viaRelay = (): string => {
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String(relay.port)
  return url.href
}
const onPostgres = (kept: string) => ({ DATABASE_URL: viaRelay(), KEEP_DOCUMENTS_FOLDER: join(folder.path, kept) })

function run(env: Readonly<Record<string, string>>): BurgeeProcess {
  const process = runServer(env)
  running.push(process)
  return process
}
const start = (env: Readonly<Record<string, string>>) => serverNode(run(env))

test.each<[string, RelayMode]>([
  ['refuses connections', 'refused'],
  ['does not answer', 'swallowed'],
])(
  'the database %s: SDKs are served at once, and the node goes on as a normal one when it comes',
  async (_name, mode) => {
    const env = onPostgres(mode)
    const flag = `kept-${mode}`
    const first = await start(env)
    await first.makeOn(flag)
    const { on } = await first.download()
    expect(on).toContain(flag)
    expect((await first.frontend()).on).toEqual(on)
    await ended(first.process, 'SIGTERM')

    relay.become(mode)
    const began = performance.now()
    const again = await start(env)
    const startMs = performance.now() - began
    expect(await again.download()).toEqual({ status: 200, on })
    expect(await again.frontend()).toEqual({ status: 200, on })
    expect(await again.ready()).toEqual({
      ...DEGRADED,
      database: expect.stringMatching(/^unreachable since 20/),
      documents: expect.stringMatching(/^kept on disk as of 20/),
    })
    expect(again.process.output()).toMatch(/WARN: The database is unavailable: serving SDKs from the snapshot of 20/)
    expect(await again.series('burgee_document_kept')).toBe(1)
    expect(await again.series('burgee_document_age_seconds')).toBeGreaterThan(0)
    const refused = await again.admin('GET', 'projects')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    // an unknown token cannot be verified, and the snapshot contains no admin tokens
    for (const token of ['default:development.other', TOKENS.admin])
      expect((await again.download(token)).status).toBe(503)

    relay.become('through')
    await until(async () => isHealthy(await again.ready()), 60_000)
    expect((await again.admin('POST', `${FEATURES}/${flag}/environments/development/off`)).status).toBe(200)
    expect((await again.download()).on).not.toContain(flag)
    expect((await again.download('default:development.other')).status).toBe(401)
    expect(await again.series('burgee_document_kept')).toBe(0)
    report('P3', `server started while its database ${mode}`, `first reply after ${(startMs / 1000).toFixed(1)} s`)
  },
  120_000,
)

const STAYS = 'stays, though the start between does not hear of it'
test(`a node restarted after SIGKILL serves its last state: flips a few seconds old, a removed token at once; a token ${STAYS}`, async () => {
  const env = onPostgres('killed')
  const node = await start(env)
  await node.makeOn('flipped')
  const [{ secret, id }, elsewhere] = [await makeToken(node, 'gone'), await makeToken(node, 'gone elsewhere')]
  for (const token of [TOKENS.client, secret, elsewhere.secret]) expect((await node.download(token)).status).toBe(200)
  const file = () =>
    join(folder.path, 'killed', readdirSync(join(folder.path, 'killed')).find((name) => name.endsWith('.kept')) ?? '')
  const tokenNames = ['gone', 'gone elsewhere']
  await until(() => tokenNames.every((name) => readFileSync(file(), 'utf8').includes(`"${name}"`)), KEPT_AGAIN_MS)
  expect((await node.admin('DELETE', `api-tokens/${id}`)).status).toBe(200)
  await ended(node.process, 'SIGKILL')
  const text = readFileSync(file(), 'utf8')
  for (const secretPart of [secret.slice(-20), TOKENS.client, '.client"', TOKENS.admin])
    expect(text).not.toContain(secretPart)
  expect((statSync(file()).mode & 0o777).toString(8)).toBe('600')

  const look = await postgresLook(database.url)
  await look.rows('delete from api_tokens where id = ?', elsewhere.id)
  await look.close()
  await ended((await start(env)).process, 'SIGTERM')

  relay.become('refused')
  const again = await start(env)
  expect((await again.download()).on).toContain('flipped')
  for (const token of [secret, elsewhere.secret]) expect((await again.download(token)).status).toBe(503)
}, 60_000)

async function makeToken(node: ServerNode, tokenName: string): Promise<{ secret: string; id: string }> {
  const made = await node.admin('POST', 'api-tokens', { type: 'client', tokenName, environment: 'development' })
  return (await made.json()) as { secret: string; id: string }
}

test('another database at the same address: nothing of the snapshot is mixed into it, and its first login is printed', async () => {
  const env = onPostgres('other')
  const node = await start(env)
  await node.makeOn('of-the-first')
  await node.download()
  await ended(node.process, 'SIGTERM')
  relay.become('refused')
  const again = await start({ ...env, DEFAULT_ADMIN_PASSWORD: '' })
  expect((await again.download()).on).toContain('of-the-first')
  const before = database
  database = await freshDatabase()
  const { port, hostname, pathname } = new URL(database.url)
  // the new database has the same name, as if the old one had been lost, so the URL is unchanged
  await before.remove()
  await rename(hostname, port, pathname.slice(1), new URL(before.url).pathname.slice(1))
  database = { ...before }
  relay.become('through')
  await again.process.find(/First login: admin \/ \S+/)
  await until(async () => isHealthy(await again.ready()), 60_000)
  // the new database's tokens come from the configuration, and it has no flags
  expect(await again.download()).toEqual({ status: 200, on: [] })
  expect(again.process.output()).toMatch(/WARN: The database is available, .* is not the database of the snapshot/)
}, 60_000)

async function rename(hostname: string, port: string, from: string, to: string): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ host: hostname, port: Number(port), user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query(`alter database ${from} rename to ${to}`)
  await client.end()
}

test('a database file that another program has locked: the snapshot is served, and requests do not wait for the lock', async () => {
  const env = { DATA_DIR: join(folder.path, 'embedded') }
  const node = await start(env)
  await node.makeOn('embedded')
  await node.download()
  await ended(node.process, 'SIGTERM')
  const locking = new DatabaseSync(join(env.DATA_DIR, 'burgee.sqlite'))
  locking.exec('BEGIN IMMEDIATE')
  const again = await start(env)
  expect(await again.download()).toEqual({ status: 200, on: ['embedded'] })
  expect(await again.ready()).toMatchObject({ ...DEGRADED, documents: expect.stringMatching(/^kept on disk/) })
  expect((await again.admin('GET', 'projects')).status).toBe(503)
  const second = run(env)
  expect(await second.ended).toBe(1)
  expect(second.errors()).toContain(`in use by the process ${again.process.pid}`)
  locking.exec('ROLLBACK')
  locking.close()
  await until(async () => isHealthy(await again.ready()), 20_000)
  await again.makeOn('afterwards')
  expect((await again.download()).on).toEqual(['afterwards', 'embedded'])
}, 60_000)

test('a data directory that cannot be written to: the snapshot is served, and no start fails', async () => {
  const [volume, dataDir] = [join(folder.path, 'volume'), join(folder.path, 'volume', 'data')]
  const place = join(folder.path, 'place')
  mkdirSync(place)
  symlinkSync(place, volume)
  const env = { DATA_DIR: dataDir, KEEP_DOCUMENTS_FOLDER: join(folder.path, 'elsewhere') }
  const node = await start(env)
  await node.makeOn('unwritable')
  await node.download()
  await ended(node.process, 'SIGTERM')
  // a folder that is not writable, even for root
  rmSync(volume)
  symlinkSync('/sys', volume)
  const again = await start(env)
  expect(await again.download()).toEqual({ status: 200, on: ['unwritable'] })
  expect(await again.ready()).toMatchObject({ ...DEGRADED, documents: expect.stringMatching(/^kept on disk/) })
  expect(again.process.output()).toMatch(/WARN: The data directory .* cannot be used: .* Retrying until/)
  rmSync(volume)
  symlinkSync(place, volume)
  await until(async () => isHealthy(await again.ready()), 20_000)
  await again.makeOn('afterwards')
  expect((await again.download()).on).toEqual(['afterwards', 'unwritable'])
}, 60_000)

test('a truncated snapshot is not used: the start is as without one, and writes it again', async () => {
  const env = onPostgres('spoilt')
  const node = await start(env)
  await node.makeOn('spoilt')
  await node.download()
  await ended(node.process, 'SIGTERM')
  const within = join(folder.path, 'spoilt')
  const file = join(within, readdirSync(within)[0] ?? '')
  truncateSync(file, statSync(file).size - 30)
  relay.become('refused')
  const refused = run({ ...env, DATABASE_WAIT: '0' })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/Ignoring the snapshot .*: it is damaged/)
  relay.become('through')
  const again = await start(env)
  await ended(again.process, 'SIGTERM')
  expect(readFileSync(file, 'utf8')).toContain('"spoilt"')
}, 120_000)
