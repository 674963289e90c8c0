import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, start } from '@burgee/proxy'
import type { ProxyConfig } from '@burgee/proxy/options'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

/** Log output of the proxy, as a command and as a library. */
const TOKEN = 'token-3f7a'
const KEY = 'key-9c1e'
let upstream: FakeUpstream
let output: string
let close: (() => Promise<void>)[] = []

beforeEach(async () => {
  upstream = await startUpstream({ version: 2, features: [{ name: 'on', enabled: true, strategies: [] }] })
  output = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    output += String(chunk)
    return true
  })
})
afterEach(async () => {
  for (const one of close) await one()
  close = []
  vi.restoreAllMocks()
  await upstream.close()
})

const config = (more: ProxyConfig): ProxyConfig => ({
  flagUrl: upstream.url,
  flagApiToken: TOKEN,
  clientKeys: [KEY],
  host: '127.0.0.1',
  port: 0,
  refreshInterval: 20,
  // an earlier run on the same port may have left a backup behind, whose use is logged
  backup: false,
  ...more,
})
const run = async (more: ProxyConfig) => {
  const proxy = await start(config(more), { env: {} })
  close.push(proxy.close)
  await until(() => proxy.isReady())
  return proxy
}
const refuse = async (): Promise<void> => {
  upstream.answerWith(({ method }, response) => void response.writeHead(method === 'POST' ? 202 : 500).end())
  const before = upstream.seen.length
  await until(() => upstream.seen.length > before + 2)
}

describe('lines of the log', () => {
  test('writes text for warnings and errors', async () => {
    await run({})
    await refuse()
    const line =
      /^\d{4}-\S+Z ERROR: Cannot get features from the upstream: The upstream answered 500 to \/client\/features\n$/
    expect(output).toMatch(line)
  })

  test('writes one-line JSON', async () => {
    await run({ useJsonLogger: true })
    await refuse()
    expect(JSON.parse(output)).toMatchObject({
      level: 'error',
      message: 'Cannot get features from the upstream: The upstream answered 500 to /client/features',
    })
  })

  test.each<[NonNullable<ProxyConfig['logLevel']>, boolean, boolean]>([
    ['debug', true, true],
    ['info', true, true],
    ['warn', false, true],
    ['error', false, true],
    ['fatal', false, false],
  ])('level %s: information %s, errors %s', async (logLevel, hasInfo, hasError) => {
    await run({ logLevel })
    await refuse()
    expect([/^\S+ INFO: .*ready/m.test(output), /^\S+ ERROR: /m.test(output)]).toEqual([hasInfo, hasError])
  })

  test('a custom logger gets all lines instead', async () => {
    const lines: string[] = []
    const say = (message: string) => void lines.push(message)
    await run({ logger: { debug: say, info: say, warn: say, error: say, fatal: say }, useJsonLogger: true })
    await refuse()
    expect(output).toBe('')
    expect(lines.some((line) => line.startsWith('Cannot get features'))).toBe(true)
  })

  test('no token, key or user is in any of them', async () => {
    const { port } = await run({ logLevel: 'debug', expCustomEnrichers: [() => Promise.reject(new Error(TOKEN))] })
    const url = `http://127.0.0.1:${port}/proxy?userId=user-77ab`
    expect((await fetch(url, { headers: { authorization: KEY } })).status).toBe(500)
    expect(output).toContain('Context enricher')
    for (const secret of [TOKEN, KEY, 'user-77ab']) expect(output).not.toContain(secret)
  })
})

describe('within another process', () => {
  test('createApp answers requests of any server', async () => {
    const app = await createApp(config({}), { env: {} })
    const server = createServer(app.handler)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    close.push(app.close, async () => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await until(() => app.isReady())
    const response = await fetch(`${url}/proxy`, { headers: { authorization: KEY, connection: 'close' } })
    expect(await response.json()).toMatchObject({ toggles: [{ name: 'on', enabled: true }] })
  })

  test('several proxies with different options run in one process', async () => {
    const [one, two] = [await run({ flagAppName: 'one' }), await run({ flagAppName: 'two', clientKeys: ['other'] })]
    const ask = async ({ port }: { port: number }, key: string) =>
      (await fetch(`http://127.0.0.1:${port}/proxy`, { headers: { authorization: key } })).status
    expect([await ask(one, KEY), await ask(one, 'other'), await ask(two, KEY), await ask(two, 'other')]).toEqual([
      200, 401, 401, 200,
    ])
  })

  test.each<[string, ProxyConfig, RegExp]>([
    ['a missing option', { flagUrl: undefined }, /flagUrl option \(FLAG_URL or UNLEASH_URL\)/],
    ['a bad one', { flagUrl: 'nowhere' }, /"flagUrl" must be an absolute/],
    ['an unknown one', { nonsense: 1 } as ProxyConfig, /Unknown option "nonsense"/],
  ])('%s rejects the start', async (_name, more, says) => {
    await expect(start(config(more), { env: {} })).rejects.toThrow(says)
  })
})
