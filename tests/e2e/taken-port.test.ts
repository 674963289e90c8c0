import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { type FreshDatabase, freshDatabase, postgresLook } from '../support/postgres.ts'

/**
 * Output and leftover files of a start that cannot listen. If the process does not exit, the test times out and fails.
 */
const folder = temporaryFolder()
let database: FreshDatabase
let taken: Server
let port: string
const running: BurgeeProcess[] = []
let places = 0

beforeAll(async () => {
  database = await freshDatabase()
  taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, () => resolve()))
  port = String((taken.address() as { port: number }).port)
})
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL')
})
afterAll(async () => {
  taken.close()
  await database.remove()
  folder.remove()
})

function run(args: readonly string[], env: Readonly<Record<string, string>>): BurgeeProcess {
  const dataDir = join(folder.path, String(places++))
  const one = runBurgee(args, { DATA_DIR: dataDir, HTTP_HOST: '0.0.0.0', HTTP_PORT: '0', PROXY_PORT: '0', ...env })
  running.push(one)
  return one
}

/** Returns the content of standard error, which must be one sentence without a stack. */
function sentenceOf(burgee: BurgeeProcess): string {
  expect(burgee.errors()).toMatch(/^[^\n]+\n$/)
  return burgee.errors()
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  const where = (): Record<string, string> => (kind === 'postgres' ? { DATABASE_URL: database.url } : {})

  test.each([
    { command: 'server', env: () => ({ HTTP_PORT: '', PORT: port }), names: 'PORT' },
    { command: 'start', env: () => ({ HTTP_PORT: '', PORT: port }), names: 'PORT' },
    { command: 'start', env: () => ({ PROXY_PORT: port }), names: 'PROXY_PORT' },
  ])('burgee $command ends with 1 and names $names', async ({ command, env, names }) => {
    const burgee = run([command], { ...where(), ...env() })
    expect(await burgee.ended).toBe(1)
    const sentence = sentenceOf(burgee)
    expect(sentence).toContain(`Port ${port} (${names},`)
    expect(sentence).toContain('EADDRINUSE')
    expect(sentence).toMatch(/another Burgee or another program.*lsof/)
    expect(burgee.output()).not.toContain('ogin')
  })

  test('a busy port makes no tables: the next start is the first', async () => {
    const own = await freshDatabase()
    const env = kind === 'postgres' ? { DATABASE_URL: own.url } : { DATA_DIR: join(folder.path, 'kept') }
    const first = run(['start'], { ...env, PROXY_PORT: port })
    expect(await first.ended).toBe(1)
    if (kind === 'postgres') {
      const look = await postgresLook(own.url)
      expect(await look.rows("select tablename from pg_tables where schemaname = 'public'")).toEqual([])
      await look.close()
    }
    const second = run(['start'], env)
    expect(await second.find(/Login {4}(.*)/)).toMatch(/^admin \/ \S{12,} {3}\(shown only this once\)$/)
    second.kill('SIGTERM')
    await second.ended
    await own.remove()
  })

  test.each([
    ['of no address of this machine', { HTTP_HOST: '192.0.2.1' }, /192\.0\.2\.1 \(HTTP_HOST, --host\).*EADDRNOTAVAIL/],
    ['of no name', { HTTP_HOST: 'nowhere.invalid' }, /nowhere\.invalid \(HTTP_HOST, --host\).*(ENOTFOUND|EAI_AGAIN)/],
  ])('a host %s ends it with 1', async (_name, env, says) => {
    const burgee = run(['server'], { ...where(), ...env })
    expect(await burgee.ended).toBe(1)
    expect(sentenceOf(burgee)).toMatch(says)
  })
})

test('the proxy names its port', async () => {
  const env = { FLAG_URL: 'http://127.0.0.1:9/api', FLAG_API_TOKEN: 't', FLAG_PROXY_CLIENT_KEYS: 'k', PROXY_PORT: port }
  const burgee = run(['proxy'], env)
  expect(await burgee.ended).toBe(1)
  expect(sentenceOf(burgee)).toContain(`Port ${port} (PROXY_PORT, --port)`)
})

test('a second Burgee on the same data directory names the process of the first', async () => {
  const dataDir = join(folder.path, 'shared')
  const first = run(['server'], { DATA_DIR: dataDir })
  const held = await first.find(/listening on port (\d+)/)
  const second = run(['server'], { DATA_DIR: dataDir, HTTP_PORT: held })
  expect(await second.ended).toBe(1)
  expect(sentenceOf(second)).toContain(`process ${first.pid}`)
  expect(sentenceOf(second)).toContain(`Port ${held} (PORT,`)
})

test('server and proxy on one and the same port is refused before anything is made', async () => {
  const burgee = run(['start'], { HTTP_PORT: '4999', PROXY_PORT: '4999' })
  expect(await burgee.ended).toBe(1)
  expect(sentenceOf(burgee)).toMatch(/PORT and PROXY_PORT are both 4999/)
})
