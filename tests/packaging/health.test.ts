import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'

/** `burgee health` as a container supervisor calls it, with only the variables of the process that it watches. */
const folder = temporaryFolder()
afterAll(folder.remove)
let running: BurgeeProcess | undefined
let upstream: FakeUpstream | undefined
afterEach(async () => {
  running?.kill('SIGKILL')
  await running?.ended
  await upstream?.close()
  running = undefined
  upstream = undefined
})

async function health(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const one = runBurgee(['health', ...args], env)
  return { code: await one.ended, output: one.output(), errors: one.errors() }
}

describe('burgee health', () => {
  test('exits with 0 for a server, below its base path too', async () => {
    const port = String(await findFreePort())
    const env = { HTTP_PORT: port, BASE_URI_PATH: '/flags', DATA_DIR: `${folder.path}/data` }
    running = runBurgee(['server'], env)
    await running.find(/port (\d+)/)
    expect(await health(env)).toEqual({ code: 0, output: `alive: http://127.0.0.1:${port}/flags/health\n`, errors: '' })
  })

  test('exits with 0 for a proxy that has nothing to serve yet: a restart would not help it', async () => {
    upstream = await startUpstream()
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    const port = String(await findFreePort())
    const env = { PORT: port, FLAG_URL: upstream.url, FLAG_API_TOKEN: 'token', FLAG_PROXY_CLIENT_KEYS: 'key-of-a-page' }
    running = runBurgee(['proxy'], env)
    await running.find(/port (\d+)/)
    expect((await fetch(`http://127.0.0.1:${port}/proxy/health`)).status).toBe(503)
    const { code, output } = await health(env, ['--json'])
    expect([code, JSON.parse(output)]).toEqual([0, { alive: true, url: `http://127.0.0.1:${port}/proxy/health/live` }])
  })

  test('exits with 0 for an edge, below its base path too', async () => {
    upstream = await startUpstream()
    const port = String(await findFreePort())
    const env = { PORT: port, BASE_PATH: '/flags', UPSTREAM_URL: upstream.url.replace(/\/api$/, ''), DYNAMIC: 'true' }
    running = runBurgee(['edge'], env)
    await running.find(/port (\d+)/)
    const { code, output } = await health(env)
    expect([code, output]).toEqual([0, `alive: http://127.0.0.1:${port}/flags/internal-backstage/health\n`])
  })

  test.each([
    ['nothing listens', (port: number) => [{ PORT: String(port) }, []] as const],
    ['the address named answers something else', () => [{}, ['--url', `${upstream?.url}/health`]] as const],
  ])('exits with 1 where %s, and names the URL', async (_where, given) => {
    upstream = await startUpstream()
    upstream.answerWith((_request, response) => void response.writeHead(404).end())
    const [env, args] = given(await findFreePort())
    const { code, output } = await health(env, args)
    expect(code).toBe(1)
    expect(output).toContain('No live service at http://127.0.0.1:')
  })

  test('an address with a password is refused, and not shown', async () => {
    const { code, errors, output } = await health({}, ['--url', 'http://somebody:hidden-word@127.0.0.1:1/health'])
    expect(code).toBe(1)
    expect(`${errors}${output}`).toContain('--url')
    expect(`${errors}${output}`).not.toContain('hidden-word')
  })
})
