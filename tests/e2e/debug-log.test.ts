import { afterAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'

/** Standard output as operators see it, written by the processes themselves. */
const SECRETS = {
  admin: '*:*.secret-of-the-admin-token-0001',
  client: '*:development.secret-of-the-client-token-2',
  key: 'secret-client-key-of-the-proxy-3',
  password: 'secret-password-of-the-admin-4',
}
const SERVER = {
  HTTP_PORT: '0',
  HTTP_HOST: '127.0.0.1',
  DEFAULT_ADMIN_PASSWORD: SECRETS.password,
  INIT_ADMIN_API_TOKENS: SECRETS.admin,
  INIT_CLIENT_API_TOKENS: SECRETS.client,
}
const PROXY = { PROXY_CLIENT_KEYS: SECRETS.key, UNLEASH_PROXY_CLIENT_KEYS: SECRETS.key }

const folder = temporaryFolder()
const running: BurgeeProcess[] = []
afterAll(async () => {
  for (const process of running) process.kill('SIGTERM')
  await Promise.all(running.map(({ ended }) => ended))
  folder.remove()
})

function run(args: readonly string[], env: Readonly<Record<string, string>>): BurgeeProcess {
  const process = runBurgee(args, env)
  running.push(process)
  return process
}

async function stopped(process: BurgeeProcess): Promise<string> {
  process.kill('SIGTERM')
  await process.ended
  expect(secretsIn(process.output() + process.errors())).toEqual([])
  return process.output()
}

function secretsIn(text: string): string[] {
  // `burgee start` prints a command to copy, which contains the client key; the command is not part of the log
  const log = text.replaceAll(/^ *curl .*$/gm, '')
  return Object.values(SECRETS)
    .map((secret) => secret.split('.').at(-1) ?? '')
    .filter((secret) => log.includes(secret))
}

async function ask(url: string, authorization: string): Promise<number> {
  return (await fetch(url, { headers: { authorization } })).status
}

describe.each(['false', 'true'])('LOG_LEVEL=debug, JSON_LOGGER=%s', (JSON_LOGGER) => {
  const debug = { LOG_LEVEL: 'debug', JSON_LOGGER }

  test('server and proxy say what they do, each for itself', async () => {
    const server = run(['server'], { ...SERVER, ...debug, DATA_DIR: `${folder.path}/server-${JSON_LOGGER}` })
    const port = await server.find(/listening on port (\d+)/)
    const url = `http://127.0.0.1:${port}`
    expect(await ask(`${url}/api/admin/projects?token=${SECRETS.admin}`, SECRETS.admin)).toBe(200)
    expect(await ask(`${url}/api/admin/projects`, SECRETS.client)).toBe(403)
    const upstream = { UNLEASH_URL: `${url}/api`, UNLEASH_API_TOKEN: SECRETS.client, PROXY_PORT: '0', PORT: '0' }
    const proxy = run(['proxy'], { ...PROXY, ...upstream, ...debug, LOG_JSON: JSON_LOGGER })
    const at = await proxy.find(/listening on port (\d+)/)
    await proxy.find(/Configuration 1 is in use, from upstream/)
    expect(await ask(`http://127.0.0.1:${at}/proxy?userId=7&secret=${SECRETS.key}`, SECRETS.key)).toBe(200)
    await proxy.find(/GET \/proxy 200 in [\d.]+ ms/)
    await proxy.find(/Polling the upstream again in \d+ ms/)
    await proxy.find(/Registered with the upstream/)
    await stopped(proxy)
    await server.find(/GET \/api\/client\/features 200 in/)
    const log = await stopped(server)
    expect(log).toMatch(/Migrated: 0001-projects/)
    expect(log).toMatch(/GET \/api\/admin\/projects 200 in/)
    expect(log).toMatch(/security refused.*|"event":"refused"/)
  })

  test('both in one process', async () => {
    const both = run(['start'], {
      ...SERVER,
      ...PROXY,
      ...debug,
      PROXY_PORT: '0',
      PROXY_HOST: '127.0.0.1',
      DATA_DIR: `${folder.path}/start-${JSON_LOGGER}`,
    })
    await both.find(/Configuration 1 is in use, from upstream/)
    await both.find(/Changed: feature-created/)
    const log = await stopped(both)
    expect(log).toMatch(/Migrated: 0001-projects/)
    expect(log).toMatch(/is at revision \d+, everything read/)
  })
})

test('only the security log appears without the debug level', async () => {
  const server = run(['server'], { ...SERVER, DATA_DIR: `${folder.path}/quiet` })
  const port = await server.find(/listening on port (\d+)/)
  expect(await ask(`http://127.0.0.1:${port}/api/admin/projects`, '')).toBe(401)
  const log = await stopped(server)
  expect(log.split('\n').filter((line) => line !== '' && !/^(Burgee |First login|\S+ WARN: INIT_)/.test(line))).toEqual(
    [expect.stringMatching(/^\S+ INFO: security refused category=security event=refused result=refused status=401 /)],
  )
})
