import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OptionsError } from '@burgee/kit/options/options'
import { createApp, type ProxyApp, start } from '@burgee/proxy'
import type { ProxyConfig } from '@burgee/proxy/options'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

/** The proxy as a library inside an application's process. */
const TESTS = dirname(dirname(fileURLToPath(import.meta.url)))
const feature = (name: string) => ({ name, enabled: true, strategies: [] })
let upstream: FakeUpstream
let closing: (() => Promise<unknown>)[]
beforeEach(async () => {
  closing = []
  upstream = await startUpstream({ features: [feature('on')] })
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  await upstream.close()
})

const say = () => {}
const SILENT = { debug: say, info: say, warn: say, error: say, fatal: say }
const config = (more: ProxyConfig = {}): ProxyConfig => ({
  flagUrl: upstream.url,
  flagApiToken: 'token',
  clientKeys: ['key-one'],
  refreshInterval: 20,
  logger: SILENT,
  // an earlier run on the same port may have left a backup behind
  backup: false,
  ...more,
})
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown
const serve = async (handler: Handler): Promise<string> => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const make = async (more: ProxyConfig = {}, env: Record<string, string> = {}): Promise<ProxyApp> => {
  const app = await createApp(config(more), { env })
  closing.push(app.close)
  await until(() => app.isReady())
  return app
}
const ask = (url: string, key = 'key-one', init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { authorization: key, 'content-type': 'application/json' } })
const names = async (response: Response): Promise<string[]> => {
  const { toggles } = (await response.json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}

describe('mounted', () => {
  test('on a server of Node', async () => {
    const app = await make()
    const url = await serve(app.handler)
    expect(await names(await ask(`${url}/proxy`))).toEqual(['on'])
    const listed = await ask(`${url}/proxy`, 'key-one', { method: 'POST', body: '{"toggles":["on","off"]}' })
    expect(await names(listed)).toEqual(['on', 'off'])
    expect((await fetch(`${url}/other`)).status).toBe(404)
  })

  test('works in a chain, beside routes of the application; the rest of the path is unchanged', async () => {
    const app = await make({ proxyBasePath: '/flags' })
    type Step = (request: IncomingMessage, response: ServerResponse, next: () => void) => void
    const chain: Step[] = [
      (_request, response, next) => {
        response.setHeader('x-before', 'yes')
        next()
      },
      (request, response, next) => (request.url?.startsWith('/flags/') ? app.handler(request, response) : next()),
      (_request, response) => void response.end('the application'),
    ]
    const run: Handler = (request, response) => {
      const step = (index: number): void => chain[index]?.(request, response, () => step(index + 1))
      step(0)
    }
    const url = await serve(run)
    const answer = await ask(`${url}/flags/proxy`)
    expect(answer.headers.get('x-before')).toBe('yes')
    expect(await names(answer)).toEqual(['on'])
    expect(await (await fetch(`${url}/elsewhere`)).text()).toBe('the application')
  })

  test.each<[string, unknown, RequestInit, unknown]>([
    ['nothing', undefined, {}, ['on']],
    ['an object', { toggles: ['off', 'on'] }, { method: 'POST', body: '{"toggles":["off","on"]}' }, ['off', 'on']],
    ['a text', '{"toggles":["ünï"]}', { method: 'POST', body: '{"toggles":["ünï"]}' }, ['ünï']],
    ['bytes', Buffer.from('{"toggles":["off"]}'), { method: 'POST', body: '{"toggles":["off"]}' }, ['off']],
    ['an empty object', {}, { method: 'POST', body: '' }, ['on']],
    ['what is not valid', { toggles: 7 }, { method: 'POST', body: '{"toggles":7}' }, 400],
  ])('behind a body parser that has read %s', async (_name, body, init, expected) => {
    const app = await make()
    const url = await serve(async (request, response) => {
      for await (const _chunk of request);
      app.handler(Object.assign(request, { body }), response)
    })
    const answer = await ask(`${url}/proxy`, 'key-one', init)
    expect(answer.ok ? await names(answer) : answer.status).toEqual(expected)
    expect((await ask(`${url}/proxy?sessionId=1`)).status).toBe(200)
  })

  test('several with separate options, logs and keys in one process', async () => {
    const other = await startUpstream({ features: [feature('other')] })
    closing.push(other.close)
    const lines: Record<string, string[]> = { one: [], two: [] }
    const logger = (name: string) => ({ ...SILENT, info: (message: string) => void lines[name]?.push(message) })
    const one = await make({ logger: logger('one'), flagAppName: 'one', environment: 'production' })
    const two = await make({ logger: logger('two'), flagAppName: 'two', flagUrl: other.url, clientKeys: 'key-two' })
    const [first, second] = [await serve(one.handler), await serve(two.handler)]
    expect(await names(await ask(`${first}/proxy`))).toEqual(['on'])
    expect(await names(await ask(`${second}/proxy`, 'key-two'))).toEqual(['other'])
    expect((await ask(`${second}/proxy`)).status).toBe(401)
    expect(lines.one).toEqual(lines.two)
    expect(lines.one?.some((line) => line.includes('ready'))).toBe(true)
    expect(new Set(other.seen.map(({ headers }) => headers['unleash-appname']))).toEqual(new Set(['two']))
    await one.close()
    expect(await names(await ask(`${second}/proxy`, 'key-two'))).toEqual(['other'])
  })
})

describe('options in code', () => {
  test('have types and nesting as their names, and win over the environment', async () => {
    const more: ProxyConfig = {
      cors: { origin: ['https://a.example'], credentials: true, maxAge: 60 },
      trustProxy: ['loopback'],
      enableAllEndpoint: true,
      expServerSideSdkConfig: { tokens: ['server'] },
    }
    // @ts-expect-error an interval is a number
    const wrong: ProxyConfig = { refreshInterval: 'soon' }
    // @ts-expect-error there is no such option
    const unknown: ProxyConfig = { nonsense: 1 }
    const app = await make(more, { CORS_ORIGIN: 'https://b.example', ENABLE_ALL_ENDPOINT: 'false' })
    const answer = await ask(`${await serve(app.handler)}/proxy/all`)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, 'https://a.example'])
    for (const bad of [wrong, unknown]) {
      await expect(createApp(config(bad), { env: {} })).rejects.toThrow(OptionsError)
    }
  })

  test('false and 0 are values too', async () => {
    const app = await make(
      { enableAllEndpoint: false, metricsJitter: 0, port: 0 },
      { ENABLE_ALL_ENDPOINT: 'true', FLAG_METRICS_JITTER: 'nonsense', PORT: 'nonsense' },
    )
    expect((await ask(`${await serve(app.handler)}/proxy/all`)).status).toBe(501)
  })

  test('every bad one is named at once', async () => {
    const bad = { flagUrl: 'nowhere', refreshInterval: 0, logger: {} } as unknown as ProxyConfig
    const error = await createApp(config(bad), { env: {} }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OptionsError)
    expect((error as OptionsError).problems).toEqual([
      expect.stringContaining('"flagUrl"'),
      expect.stringContaining('"refreshInterval"'),
      expect.stringContaining('"logger"'),
    ])
    expect(upstream.seen).toEqual([])
  })
})

test('reloadSecrets reads keys and tokens again; a bad one throws and leaves the old', async () => {
  const folder = temporaryFolder()
  closing.push(async () => folder.remove())
  const file = join(folder.path, 'keys')
  writeFileSync(file, 'old-key\n')
  const env: Record<string, string> = { FLAG_PROXY_CLIENT_KEYS_FILE: file, FLAG_API_TOKEN: 'old-token' }
  const app = await make({ clientKeys: undefined, flagApiToken: undefined }, env)
  const url = `${await serve(app.handler)}/proxy`
  const statuses = async () => [(await ask(url, 'old-key')).status, (await ask(url, 'new-key')).status]
  expect(await statuses()).toEqual([200, 401])
  writeFileSync(file, 'new-key, further-key')
  env.FLAG_API_TOKEN = 'new-token'
  expect(await statuses()).toEqual([200, 401])
  app.reloadSecrets()
  expect(await statuses()).toEqual([401, 200])
  await until(() => upstream.seen.at(-1)?.headers.authorization === 'new-token')
  writeFileSync(file, ' ,')
  expect(() => app.reloadSecrets()).toThrow(/FLAG_PROXY_CLIENT_KEYS_FILE/)
  expect(await statuses()).toEqual([401, 200])
})

describe('close', () => {
  test('may be called twice, at once and later; afterwards the upstream gets no requests', async () => {
    const app = await make()
    await Promise.all([app.close(), app.close()])
    await app.close()
    upstream.seen.length = 0
    await make({ flagAppName: 'other' })
    await until(() => upstream.seen.length > 3)
    expect(upstream.seen.map(({ headers }) => headers['unleash-appname'])).not.toContain('flag-proxy')
  })

  test('before the first sync', async () => {
    upstream.answerWith(() => {})
    const app = await createApp(config(), { env: {} })
    await until(() => upstream.seen.length > 0)
    await app.close()
    expect(app.isReady()).toBe(false)
  })

  test('a port that is taken rejects, and leaves nothing running', async () => {
    const first = await start(config({ host: '127.0.0.1', port: 0 }), { env: {} })
    closing.push(first.close)
    await until(() => first.isReady())
    upstream.seen.length = 0
    const second = start(config({ host: '127.0.0.1', port: first.port, flagAppName: 'second' }), { env: {} })
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await until(() => upstream.seen.length > 2)
    expect(upstream.seen.map(({ headers }) => headers['unleash-appname'])).not.toContain('second')
  })
})

describe('the process of the user', () => {
  const run = async (script: string): Promise<string> => {
    const args = ['--input-type=module', '--eval', script]
    const env = {
      ...process.env,
      UPSTREAM: upstream.url,
      FLAG_URL: 'nonsense',
      LOG_LEVEL: 'nonsense',
      FLAG_BACKUP: 'false',
    }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: TESTS, env, timeout: 20_000 })
    return stdout + stderr
  }

  test('importing does nothing: no socket, no timer, no look at the options', async () => {
    const handles = 'process.getActiveResourcesInfo().filter((one) => !/Pipe|TTY|FSReq/.test(one))'
    const script = `const { createApp, start } = await import('@burgee/proxy'); console.log(typeof createApp, typeof start, ${handles})`
    expect(await run(script)).toBe('function function []\n')
    expect(upstream.seen).toEqual([])
  })

  test('ends by itself once the proxy is closed', async () => {
    const script = `
      import { start } from '@burgee/proxy'
      const config = { flagUrl: process.env.UPSTREAM, flagApiToken: 't', clientKeys: ['k'], port: 0, logLevel: 'warn' }
      const proxy = await start(config)
      while (!proxy.isReady()) await new Promise((resolve) => setTimeout(resolve, 5))
      await fetch('http://127.0.0.1:' + proxy.port + '/proxy', { headers: { authorization: 'k' } })
      await proxy.close()
      console.log('closed')`
    expect(await run(script)).toBe('closed\n')
  })
})
