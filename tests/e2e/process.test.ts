import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

/** Events outside of requests that affect the process of `burgee proxy`. */
const COMMAND = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'bin', 'burgee.mjs')
const KEY = 'key-of-the-page'
const folder = temporaryFolder()
afterAll(folder.remove)

let upstream: FakeUpstream
let proxy: BurgeeProcess | undefined

beforeEach(async () => {
  upstream = await startUpstream({ features: [{ name: 'odd', enabled: true, strategies: [{ name: 'Odd' }] }] })
})
afterEach(async () => {
  proxy?.kill('SIGKILL')
  await upstream.close()
})

const variables = (more: Record<string, string> = {}): Record<string, string> => ({
  FLAG_URL: upstream.url,
  FLAG_API_TOKEN: 'token',
  FLAG_PROXY_CLIENT_KEYS: KEY,
  FLAG_FETCH_INTERVAL: '50',
  PROXY_PORT: '0',
  ...more,
})

const headers = { authorization: KEY, 'content-type': 'application/json' }
const ask = async (port: string | number, key = KEY): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/proxy`, { headers: { authorization: key } })).status

/** Creates a file with one custom strategy, "Odd", which has this body and is preceded by optional code. */
function strategyFile(body: string, before = ''): Record<string, string> {
  const path = join(folder.path, `${crypto.randomUUID()}.mjs`)
  writeFileSync(path, `${before}\nexport default [{ name: 'Odd', isEnabled() { ${body} } }]\n`)
  return { FLAG_CUSTOM_STRATEGIES_FILE: path }
}

async function running(more: Record<string, string> = {}) {
  const started = runBurgee(['proxy'], variables(more))
  proxy = started
  const port = await started.find(/port (\d+)/)
  await until(async () => (await ask(port)) === 200)
  return { started, port }
}

describe('signals', () => {
  test('a second one does not cut short what the first began', async () => {
    const { started, port } = await running()
    await fetch(`http://127.0.0.1:${port}/proxy`, { method: 'POST', headers, body: '{"toggles":["odd"]}' })
    let deliver = (): void => {}
    upstream.answerWith((request, response) => {
      if (request.url.endsWith('/client/metrics')) deliver = () => void response.writeHead(202).end()
      else response.writeHead(304).end()
    })
    started.kill('SIGTERM')
    await until(() => upstream.seen.some((request) => request.url.endsWith('/client/metrics')))
    started.kill('SIGTERM')
    started.kill('SIGINT')
    deliver()
    expect(await started.ended).toBe(0)
  })

  test('one that comes during the start is not lost', async () => {
    const slow = strategyFile('return true', "console.log('loading'); await new Promise((go) => setTimeout(go, 500))")
    const started = runBurgee(['proxy'], variables(slow))
    proxy = started
    await started.find(/loading/)
    started.kill('SIGTERM')
    expect(await started.ended).toBe(0)
  })

  test('one that comes before the first sync ends the process', async () => {
    upstream.answerWith(() => {})
    const started = runBurgee(['proxy'], variables())
    proxy = started
    await started.find(/port/)
    started.kill('SIGTERM')
    expect(await started.ended).toBe(0)
  })

  test('timers that custom code leaves behind do not hold the process', async () => {
    const { started } = await running(strategyFile('return true', 'setInterval(() => {}, 1000)'))
    started.kill('SIGTERM')
    expect(await started.ended).toBe(0)
  })

  test('SIGHUP with an unreadable file: the previous values stay in use, and the log has the reason', async () => {
    const keys = join(folder.path, 'keys')
    writeFileSync(keys, 'first-key')
    const started = runBurgee(['proxy'], {
      ...variables({ FLAG_PROXY_CLIENT_KEYS_FILE: keys }),
      FLAG_PROXY_CLIENT_KEYS: '',
    })
    proxy = started
    const port = await started.find(/port (\d+)/)
    await until(async () => (await ask(port, 'first-key')) === 200)
    rmSync(keys)
    started.kill('SIGHUP')
    await started.find(/ERROR: Reloading secrets failed.*FLAG_PROXY_CLIENT_KEYS_FILE: cannot read .* \(ENOENT\)/)
    expect(await ask(port, 'first-key')).toBe(200)
    writeFileSync(keys, 'second-key')
    started.kill('SIGHUP')
    await until(async () => (await ask(port, 'second-key')) === 200)
  })
})

describe('errors outside of any request', () => {
  test.each([
    ['from a timer', 'setTimeout(() => { throw new Error("stray") }); return true'],
    ['by an unhandled rejection', 'Promise.reject(new Error("stray")); return true'],
  ])('%s: logged once, and the process goes on', async (_name, body) => {
    const { started, port } = await running(strategyFile(body))
    await started.find(/ERROR: Uncaught error outside of a request.*stray/)
    for (let times = 0; times < 5; times += 1) expect(await ask(port)).toBe(200)
    expect(started.output().match(/outside of a request/g)).toHaveLength(1)
  })
})

describe('on a Node too old for it', () => {
  const pretend = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } })'
  const old = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, COMMAND, 'proxy']

  test('the command runs itself on the one of the workspace, and passes signals on', async () => {
    const env = { PATH: process.env.PATH ?? '', SHUTDOWN_DELAY: '0', ...variables() }
    const child = spawn(process.execPath, old, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const said = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))))
    expect(said).toMatch(/listening on port \d+/)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe('output', () => {
  test('its reader may go away', async () => {
    const env = { PATH: process.env.PATH ?? '', SHUTDOWN_DELAY: '0', ...variables() }
    const child = spawn(process.execPath, [COMMAND, 'proxy'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const said = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))))
    const port = /port (\d+)/.exec(said)?.[1] ?? ''
    await until(async () => (await ask(port)) === 200)
    child.stdout.destroy()
    child.stderr.destroy()
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    const failures = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/proxy/health/ready`)
      return ((await response.json()) as { upstreamFailures: number }).upstreamFailures
    }
    await until(async () => (await failures()) > 1)
    expect(await ask(port)).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('contains the line about the port as JSON with a JSON log', async () => {
    const started = runBurgee(['proxy'], variables({ JSON_LOGGER: 'true' }))
    proxy = started
    const line = await started.find(/^.*listening.*$/m)
    expect(JSON.parse(line)).toMatchObject({ level: 'info', message: expect.stringMatching(/listening on port \d+$/) })
  })
})
