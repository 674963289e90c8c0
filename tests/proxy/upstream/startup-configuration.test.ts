import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ProxyConfig } from '@burgee/proxy/options'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** Configuration that is used until the upstream responds. */
const feature = (name: string) => ({ name, enabled: true, strategies: [] })
const FAST = { refreshInterval: 20, metricsInterval: 60_000 }
const folder = temporaryFolder()
afterAll(folder.remove)

let upstream: FakeUpstream
let proxies: TestProxy[] = []
beforeEach(async () => {
  upstream = await startUpstream({ version: 2, features: [feature('upstream')] })
})
afterEach(async () => {
  for (const proxy of proxies) await proxy.close()
  proxies = []
  await upstream.close()
})

const start = async (config: ProxyConfig, ready = true): Promise<TestProxy> => {
  const proxy = await startProxy({ flagUrl: upstream.url, ...FAST, ...config }, { ready })
  proxies.push(proxy)
  return proxy
}
const names = async ({ url }: TestProxy): Promise<string[]> => {
  const response = await fetch(`${url}/proxy`, { headers: { authorization: KEY } })
  const { toggles } = (await response.json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}
const health = async ({ url }: TestProxy) => (await fetch(`${url}/proxy/health/ready`)).json()
const down = () => upstream.answerWith((_request, response) => void response.writeHead(503).end())

describe('backup by default', () => {
  const own = () => join(process.env.TMPDIR ?? '', `burgee-proxy-${process.getuid?.()}`)
  let places = 0
  beforeEach(() => {
    places += 1
    const temporary = join(folder.path, `tmp-${places}`)
    mkdirSync(temporary)
    vi.stubEnv('TMPDIR', temporary)
  })
  afterEach(() => vi.unstubAllEnvs())
  const again = async (config: ProxyConfig = {}) => {
    await (await start({ backup: true })).close()
    down()
    const proxy = await start({ backup: true, ...config }, false)
    await until(() => upstream.seen.length > 5)
    return proxy
  }

  test('serves the last good state as stale after a restart without the upstream', async () => {
    const proxy = await again()
    expect(await names(proxy)).toEqual(['upstream'])
    expect(await health(proxy)).toMatchObject({ status: 'ready', origin: 'backup', stale: true })
    expect(statSync(own()).mode & 0o777).toBe(0o700)
    const [file = '', ...others] = readdirSync(own())
    expect([file, others]).toEqual([expect.stringMatching(/^features-flag-proxy-[0-9a-f]{16}\.json$/), []])
    expect(statSync(join(own(), file)).mode & 0o777).toBe(0o600)
  })

  test.each<[string, ProxyConfig]>([
    ['another token’s project', { flagApiToken: 'other:development.secret' }],
    ['another project', { projectName: 'other' }],
    ['another prefix', { namePrefix: 'other' }],
    ['another app name', { flagAppName: 'other' }],
    ['switched off', { backup: false }],
  ])('%s: the document is not read', async (_name, config) => {
    expect((await again(config)).isReady()).toBe(false)
  })

  test('a folder that leads elsewhere is neither read nor written, and the log names the option', async () => {
    const elsewhere = join(folder.path, `elsewhere-${places}`)
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, own())
    const lines: string[] = []
    const say = (...words: unknown[]) => void lines.push(words.join(' '))
    const logger = { debug() {}, info() {}, warn: say, error: say, fatal: say }
    await (await start({ backup: true, logger })).close()
    expect(readdirSync(elsewhere)).toEqual([])
    expect(lines.join()).toMatch(/not a folder of this user: set another one with FLAG_BACKUP_FOLDER/)
  })

  test('a folder that others can read is closed to them', async () => {
    mkdirSync(own(), { mode: 0o755 })
    await (await start({ backup: true })).close()
    expect(statSync(own()).mode & 0o777).toBe(0o700)
  })
})

describe('an upstream that is gone', () => {
  test('makes the configuration stale after three fetches that it missed, until it answers', async () => {
    const proxy = await start({ refreshInterval: 350 })
    expect(await health(proxy)).toMatchObject({ stale: false })
    down()
    await until(async () => (await health(proxy)).stale)
    expect(await health(proxy)).toMatchObject({ status: 'ready', origin: 'upstream', stale: true })
    const series = await (await fetch(`${proxy.url}/proxy/internal-backstage/prometheus`)).text()
    expect(series).toMatch(/^burgee_proxy_stale 1$/m)
    upstream.answerWith(undefined)
    await until(async () => !(await health(proxy)).stale)
  })
})

describe('backup', () => {
  test('has no effect if the bytes of its file have changed', async () => {
    const backupFolder = join(folder.path, 'changed')
    await (await start({ backupFolder })).close()
    const path = join(backupFolder, readdirSync(backupFolder)[0] ?? '')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"enabled":true', '"enabled":null'))
    down()
    const lines: string[] = []
    const say = (...words: unknown[]) => void lines.push(words.join(' '))
    const proxy = await start(
      { backupFolder, logger: { debug() {}, info() {}, warn: say, error: say, fatal: say } },
      false,
    )
    await until(() => lines.length > 0)
    expect(proxy.isReady()).toBe(false)
    expect(lines.join()).toMatch(/Cannot use the backup.*damaged: its checksum/)
  })

  test('must exist for a restart during an outage to become ready', async () => {
    await start({})
    down()
    const again = await start({}, false)
    expect((await fetch(`${again.url}/proxy/health`)).status).toBe(503)
  })

  test('serves flags from a folder as stale, then the flags of the upstream', async () => {
    const backupFolder = join(folder.path, 'backup')
    await (await start({ backupFolder, flagAppName: '../my app' })).close()
    const [file = '', ...others] = readdirSync(backupFolder)
    expect(others).toEqual([])
    expect(statSync(join(backupFolder, file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(join(backupFolder, file), 'utf8')).features).toEqual([feature('upstream')])
    down()
    const again = await start({ backupFolder, flagAppName: '../my app' })
    expect(await names(again)).toEqual(['upstream'])
    expect(await health(again)).toMatchObject({ status: 'ready', origin: 'backup', stale: true })
    upstream.answerWith(undefined)
    upstream.serve({ features: [feature('newer')] })
    await until(async () => (await names(again)).includes('newer'))
    expect(await health(again)).toMatchObject({ origin: 'upstream', stale: false })
  })

  test('uses a separate backup per app name and ignores an invalid one', async () => {
    const backupFolder = join(folder.path, 'others')
    await (await start({ backupFolder })).close()
    down()
    expect((await start({ backupFolder, flagAppName: 'other' }, false)).isReady()).toBe(false)
    writeFileSync(join(backupFolder, readdirSync(backupFolder)[0] ?? ''), '{"features":')
    const again = await start({ backupFolder }, false)
    await until(() => upstream.seen.length > 3)
    expect(again.isReady()).toBe(false)
  })

  test('reads a storage provider once, by app name, and writes every change to it', async () => {
    const asked: string[] = []
    const kept: unknown[] = []
    const storageProvider = {
      get: async (key: string) => {
        asked.push(key)
        return { version: 2, features: [feature('stored')] }
      },
      set: async (key: string, data: unknown) => void kept.push([key, data]),
    }
    down()
    const proxy = await start({ storageProvider })
    expect(await names(proxy)).toEqual(['stored'])
    upstream.answerWith(undefined)
    await until(() => kept.length > 0)
    expect(kept).toEqual([['flag-proxy', { version: 2, features: [feature('upstream')], segments: [] }]])
    expect(asked).toEqual(['flag-proxy'])
  })

  test('a storage provider that fails is no hindrance', async () => {
    const fail = async () => {
      throw new Error('full')
    }
    expect(await names(await start({ storageProvider: { get: fail, set: fail } }))).toEqual(['upstream'])
  })

  test('drops half-written files of a killed process, but not those of another running one', async () => {
    const backupFolder = join(folder.path, 'left')
    mkdirSync(backupFolder)
    const leave = (name: string, ageSeconds: number): string => {
      const path = join(backupFolder, name)
      writeFileSync(path, '{"features":')
      const time = Date.now() / 1000 - ageSeconds
      utimesSync(path, time, time)
      return name
    }
    leave('features-flag-proxy.json.1.tmp', 3600)
    const young = leave('features-flag-proxy.json.2.tmp', 0)
    const other = leave('features-other.json.3.tmp', 3600)
    await (await start({ backupFolder })).close()
    expect(readdirSync(backupFolder).sort()).toEqual(['features-flag-proxy.json', young, other].sort())
  })

  test('a folder that cannot be written is logged when that begins and when it ends', async () => {
    const lines: string[] = []
    const say = (...words: unknown[]) => void lines.push(words.join(' '))
    const logger = { debug() {}, info() {}, warn: say, error: say, fatal: say }
    const backupFolder = join(folder.path, 'in-the-way')
    writeFileSync(backupFolder, '')
    const proxy = await start({ backupFolder, logger })
    for (const name of ['second', 'third']) {
      upstream.serve({ features: [feature(name)] })
      await until(async () => (await names(proxy)).includes(name))
    }
    await until(() => lines.length > 1)
    rmSync(backupFolder)
    upstream.serve({ features: [feature('fourth')] })
    await until(() => lines.length > 2)
    expect(lines).toEqual([
      expect.stringMatching(/^Cannot use the backup Error: ENOTDIR/),
      expect.stringMatching(/^Cannot write the backup of the features Error: EEXIST/),
      'Backups of the features work again',
    ])
  })
})

describe('bootstrap', () => {
  let server: Server
  let url: string
  const authorizations: (string | undefined)[] = []
  beforeEach(async () => {
    authorizations.length = 0
    server = createServer((request, response) => {
      authorizations.push(request.headers.authorization)
      response.end(JSON.stringify({ features: [feature('from-url')] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/features`
  })
  afterEach(() => void server.close())

  test('from an address, with its authorization, until the upstream answers', async () => {
    down()
    const proxy = await start({ expBootstrap: { url, urlHeaders: { Authorization: 'boot' } } })
    expect(await names(proxy)).toEqual(['from-url'])
    expect(authorizations).toEqual(['boot'])
    expect(await health(proxy)).toMatchObject({ origin: 'bootstrap', stale: true })
    upstream.answerWith(undefined)
    await until(async () => (await names(proxy)).includes('upstream'))
    expect(await names(proxy)).toEqual(['upstream'])
  })

  test('from data in code', async () => {
    down()
    const data = [{ name: 'in-segment', enabled: true, strategies: [{ name: 'default', segments: [1] }] }]
    const segments = [{ id: 1, constraints: [{ contextName: 'appName', operator: 'IN', values: ['flag-proxy'] }] }]
    expect(await names(await start({ expBootstrap: { data, segments } }))).toEqual(['in-segment'])
  })

  test('from a file, also as a bare list', async () => {
    down()
    const filePath = join(folder.path, 'bootstrap.json')
    writeFileSync(filePath, JSON.stringify([feature('from-file')]))
    expect(await names(await start({ expBootstrap: { filePath } }))).toEqual(['from-file'])
  })

  test('wins over a backup, whichever comes first', async () => {
    down()
    const backup = { features: [feature('stored')] }
    let give = (_kept: unknown): void => {}
    const get = () =>
      new Promise<unknown>((resolve) => {
        give = resolve
      })
    const proxy = await start({ storageProvider: { get, set: async () => {} }, expBootstrap: { url } })
    expect(await names(proxy)).toEqual(['from-url'])
    give(backup)
    // reply of the upstream that arrives after the backup was read
    const seen = upstream.seen.length
    await until(() => upstream.seen.length > seen + 1)
    expect(await names(proxy)).toEqual(['from-url'])
  })

  test.each([['http://127.0.0.1:9/nothing']])('%s does not disturb the start', async (nowhere) => {
    expect(await names(await start({ expBootstrap: { url: nowhere } }))).toEqual(['upstream'])
  })
})
