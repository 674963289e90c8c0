import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@burgee/kit/log/logger'
import type { ProxyConfig } from '@burgee/proxy/options'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** The part of a document that the proxy uses: flags of its project that it can parse. */
const flag = (name: string, more: object = {}) => ({ name, enabled: true, strategies: [{ name: 'default' }], ...more })
const of = (project: string | undefined, name: string, more: object = {}) => flag(name, { project, ...more })
const forUser = (userId: string) => ({
  strategies: [{ name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: [userId] }] }],
})
const inSegment = (name: string) => flag(name, { strategies: [{ name: 'default', segments: [1] }] })
const segment = (id: unknown, userId: string) => ({ id, constraints: forUser(userId).strategies[0]?.constraints })

const FAST = { refreshInterval: 10, metricsInterval: 60_000 }
const TOKEN = 'server-token'
const folder = temporaryFolder()
afterAll(folder.remove)

let upstream: FakeUpstream
let proxies: TestProxy[]
let lines: string[]
const say = (message: string) => void lines.push(message)
const logger: Logger = { debug() {}, info() {}, warn: say, error: say, fatal: say }

beforeEach(async () => {
  lines = []
  proxies = []
  upstream = await startUpstream({ features: [] })
})
afterEach(async () => {
  for (const proxy of proxies) await proxy.close()
  await upstream.close()
})

async function start(document: unknown, config: ProxyConfig = {}): Promise<TestProxy> {
  upstream.serve(document)
  const tokens = { expServerSideSdkConfig: { tokens: TOKEN }, enableAllEndpoint: true }
  const proxy = await startProxy({ flagUrl: upstream.url, logger, ...FAST, ...tokens, ...config })
  proxies.push(proxy)
  return proxy
}

interface Named {
  readonly name: string
  readonly enabled: boolean
}
async function ask({ url }: TestProxy, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: KEY, 'content-type': 'application/json', ...init.headers }
  return fetch(`${url}/proxy${path}`, { ...init, headers })
}
async function toggles(proxy: TestProxy, path = '', body?: object): Promise<Named[]> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return ((await (await ask(proxy, path, init)).json()) as { toggles: Named[] }).toggles
}
const names = async (proxy: TestProxy, path = '') => (await toggles(proxy, path)).map(({ name }) => name)
const health = async (proxy: TestProxy) =>
  (await (await ask(proxy, '/health/ready')).json()) as { status: string; features: number; revision: number }
async function downloaded(proxy: TestProxy): Promise<string[]> {
  const response = await ask(proxy, '/client/features', { headers: { authorization: TOKEN } })
  return ((await response.json()) as { features: Named[] }).features.map(({ name }) => name)
}

/** Serves a document and waits until it is in use. */
async function next(proxy: TestProxy, document: unknown): Promise<void> {
  const { revision } = await health(proxy)
  upstream.serve(document)
  await until(async () => (await health(proxy)).revision > revision)
}

describe('projectName holds, whatever the upstream sends', () => {
  const parent = (feature: string, more: object = {}) => ({ dependencies: [{ feature, ...more }] })
  /** Expected flags: enabled flags, flags listed by `/all`, and flags that server SDKs download. */
  const TAKEN: [string, object[], string[], string[], string[]][] = [
    ['only flags of the project', [of('shop', 'a'), of('other', 'b')], ['a'], ['a'], ['a']],
    ['of several projects none', [of('one', 'a'), of('two', 'b')], [], [], []],
    ['a project is named to the letter', [of('Shop', 'a'), of('shop ', 'b'), of('shop', 'c')], ['c'], ['c'], ['c']],
    [
      'what names no project was asked for',
      [of(undefined, 'a'), flag('b', { project: null })],
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a project that is no text is none', [flag('a', { project: ['shop'] }), flag('b', { project: 7 })], [], [], []],
    [
      'evaluates a parent in another project without listing it',
      [of('other', '1'), of('shop', 'child', parent('1')), of('other', 'b')],
      ['child'],
      ['child'],
      ['child', '1'],
    ],
    [
      'a parent in another project that is off',
      [of('other', 'p', { enabled: false }), of('shop', 'child', parent('p'))],
      [],
      ['child'],
      ['child', 'p'],
    ],
    [
      'a parent in another project that has to be off, and is',
      [of('other', 'p', { enabled: false }), of('shop', 'child', parent('p', { enabled: false }))],
      ['child'],
      ['child'],
      ['child', 'p'],
    ],
    [
      'a parent with a parent satisfies nobody, there as here',
      [of('other', 'g'), of('other', 'p', parent('g')), of('shop', 'child', parent('p'))],
      [],
      ['child'],
      ['child', 'p'],
    ],
    [
      'a parent that comes twice is none',
      [of('x', 'p'), of('y', 'p'), of('shop', 'child', parent('p'))],
      [],
      ['child'],
      ['child'],
    ],
  ]

  test.each(TAKEN)('%s', async (_name, features, on, all, sent) => {
    const proxy = await start({ features }, { projectName: 'shop' })
    expect([await names(proxy), await names(proxy, '/all'), await downloaded(proxy)]).toEqual([on, all, sent])
    expect(await health(proxy)).toMatchObject({ status: 'ready', features: all.length })
  })

  test('a flag of another project is as unknown as one that does not exist, parent or not', async () => {
    const features = [of('other', 'p', { impressionData: true }), of('shop', 'child', parent('p')), of('other', 'b')]
    const proxy = await start({ features }, { projectName: 'shop' })
    const found = await toggles(proxy, '', { toggles: ['p', 'b', 'nobody', 'child'] })
    const unknown = { enabled: false, impressionData: false, variant: { name: 'disabled', enabled: false } }
    expect(found.slice(0, 3)).toMatchObject(['p', 'b', 'nobody'].map((name) => ({ name, ...unknown })))
    expect(found[3]).toMatchObject({ name: 'child', enabled: true })
  })

  test('a flag that moves to another project is gone, and back when it comes back', async () => {
    const proxy = await start({ features: [of('shop', 'a'), of('shop', 'b')] }, { projectName: 'shop' })
    expect(await names(proxy)).toEqual(['a', 'b'])
    await next(proxy, { features: [of('shop', 'a'), of('other', 'b')] })
    expect(await names(proxy)).toEqual(['a'])
    await next(proxy, { features: [of('shop', 'b'), of('shop', 'a')] })
    expect(await names(proxy)).toEqual(['b', 'a'])
  })

  test('filters a bootstrap too, and ignores it if no flag remains', async () => {
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    const config = { flagUrl: upstream.url, logger, ...FAST, projectName: 'shop' }
    const data = [of('shop', 'a'), of('other', 'b')]
    const some = await startProxy({ ...config, expBootstrap: { data } } as ProxyConfig)
    proxies.push(some)
    expect(await names(some)).toEqual(['a'])
    const none = await startProxy({ ...config, expBootstrap: { data: [of('other', 'b')] } } as ProxyConfig, {
      ready: false,
    })
    proxies.push(none)
    await until(() => upstream.seen.length > 4)
    expect(none.isReady()).toBe(false)
  })

  test('a backup holds what was taken, and what is read from one is filtered too', async () => {
    const backupFolder = join(folder.path, 'project')
    mkdirSync(backupFolder)
    const features = [of('shop', 'a'), of('other', 'b')]
    await (await start({ features }, { backupFolder })).close()
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    const again = await start({}, { backupFolder, projectName: 'shop' })
    expect(await names(again)).toEqual(['a'])
    upstream.answerWith(undefined)
    await next(again, { features: [...features, of('shop', 'c')] })
    await again.close()
    const [file = ''] = readdirSync(backupFolder)
    const kept = JSON.parse(readFileSync(join(backupFolder, file), 'utf8')) as { features: Named[] }
    expect(kept.features.map(({ name }) => name)).toEqual(['a', 'c'])
  })
})

describe('a flag or segment that cannot be read costs itself alone', () => {
  /** Initial state: `a` and `b` are on for everyone, and `s` for the users of segment 1. */
  const BEFORE = { features: [flag('a'), flag('b'), inSegment('s')], segments: [segment(1, 'u')] }
  const changedB = flag('b', forUser('nobody'))

  const FLAWS: [string, object, string][] = [
    ['strategies are a text', { strategies: 'x' }, 'strategies are not a list'],
    ['strategies are missing', { strategies: undefined }, 'strategies are not a list'],
    ['strategies are null', { strategies: null }, 'strategies are not a list'],
    ['a strategy is a text', { strategies: ['default'] }, 'a strategy is not an object'],
    ['a strategy has no name', { strategies: [{}] }, 'a strategy has no name'],
    ['parameters are a text', { strategies: [{ name: 'default', parameters: 'x' }] }, 'parameters are not an object'],
    ['constraints are a number', { strategies: [{ name: 'default', constraints: 7 }] }, 'constraints are not a list'],
    [
      'a constraint is a text',
      { strategies: [{ name: 'default', constraints: ['x'] }] },
      'a constraint is not an object',
    ],
    [
      'a constraint has no operator',
      { strategies: [{ name: 'default', constraints: [{}] }] },
      'a constraint has no operator',
    ],
    [
      'values of a constraint are a text',
      { strategies: [{ name: 'default', constraints: [{ contextName: 'x', operator: 'IN', values: 'y' }] }] },
      'values of a constraint are not a list',
    ],
    [
      'segments of a strategy are a number',
      { strategies: [{ name: 'default', segments: 1 }] },
      'segments are not a list',
    ],
    ['variants are a text', { variants: 'x' }, 'variants are not a list'],
    ['a variant is null', { variants: [null] }, 'a variant is not an object'],
    [
      'variants of a strategy are a text',
      { strategies: [{ name: 'default', variants: 'x' }] },
      'variants are not a list',
    ],
    ['the switch is a text', { enabled: 'false' }, 'enabled is not a boolean'],
    ['the switch is missing', { enabled: undefined }, 'enabled is not a boolean'],
    ['dependencies are an object', { dependencies: {} }, 'dependencies are not a list'],
    ['a dependency has no parent', { dependencies: [{}] }, 'a dependency has no parent'],
  ]

  test.each(FLAWS)('%s: the flag keeps its version and the other flags change', async (_name, flaw, why) => {
    const proxy = await start(BEFORE)
    await next(proxy, { ...BEFORE, features: [flag('a', flaw), changedB, flag('c')] })
    expect(await names(proxy, '?userId=u')).toEqual(['a', 'c'])
    expect(lines).toEqual([`Not accepted from the upstream: flag "a" (${why}; unchanged)`])
    expect(await health(proxy)).toMatchObject({ status: 'ready', features: 3 })
    expect(await downloaded(proxy)).toEqual(['a', 'b', 'c'])
  })

  test.each(FLAWS)('%s: the flag is off after the first sync, and the proxy is ready', async (_name, flaw, why) => {
    const proxy = await start({ features: [flag('a', flaw), flag('b')] })
    expect(await names(proxy)).toEqual(['b'])
    expect(await toggles(proxy, '', { toggles: ['a'] })).toMatchObject([{ name: 'a', enabled: false }])
    expect(lines).toEqual([`Not accepted from the upstream: flag "a" (${why}; off)`])
  })

  const CHANGES: [string, object, string[], RegExp | undefined][] = [
    [
      'a duplicate name keeps the previous version',
      { features: [flag('a'), changedB, flag('b', forUser('u'))] },
      ['a', 'b'],
      /flag "b" \(occurs 2 times; unchanged\)$/,
    ],
    [
      'a new name that comes twice is off',
      { features: [flag('a'), flag('n'), flag('n')] },
      ['a'],
      /flag "n" \(occurs 2 times; off\)$/,
    ],
    [
      'of a name one is good, one is not: neither',
      { features: [flag('a'), changedB, flag('b', { strategies: 1 })] },
      ['a', 'b'],
      /flag "b" \(occurs 2 times; unchanged\)$/,
    ],
    ['one that is gone is gone', { features: [flag('a')] }, ['a'], undefined],
    [
      'a segment that cannot be read stays as it was',
      { features: [inSegment('s')], segments: [{ id: 1, constraints: 'x' }] },
      ['s'],
      /segment 1 \(constraints are not a list; unchanged\)$/,
    ],
    [
      'a segment that comes twice stays as it was',
      { features: [inSegment('s')], segments: [segment(1, 'x'), segment(1, 'y')] },
      ['s'],
      /segment 1 \(occurs 2 times; unchanged\)$/,
    ],
    ['a segment changes', { features: [inSegment('s')], segments: [segment(1, 'x')] }, [], undefined],
    [
      'a segment that is a text, and one without an id, are none',
      { features: [inSegment('s')], segments: ['x', { constraints: [] }, segment(1, 'u')] },
      ['s'],
      /a segment without an id \(it could be any; off\)$/,
    ],
    [
      'a flag that stays as it was keeps its segment',
      { features: [flag('a'), { ...inSegment('s'), strategies: 'x' }], segments: [] },
      ['a', 's'],
      /flag "s" \(strategies are not a list; unchanged\)$/,
    ],
  ]
  test.each(CHANGES)('%s', async (_name, document, expected, logged) => {
    const proxy = await start(BEFORE)
    await next(proxy, document)
    expect(await names(proxy, '?userId=u')).toEqual(expected)
    if (logged === undefined) expect(lines).toEqual([])
    else expect(lines).toEqual([expect.stringMatching(logged)])
  })

  test('a flag that was never good opens nothing: what depends on it being off stays off', async () => {
    const child = flag('child', { dependencies: [{ feature: 'p', enabled: false }] })
    const proxy = await start({ features: [child, flag('p', { strategies: 'x' })] })
    expect(await names(proxy)).toEqual([])
  })

  test('uses a flag once it becomes readable again, and logs this', async () => {
    const proxy = await start(BEFORE)
    await next(proxy, { ...BEFORE, features: [flag('a', { strategies: 'x' })] })
    await next(proxy, { ...BEFORE, features: [flag('a', { strategies: 'y' })] })
    expect(lines).toHaveLength(1)
    await next(proxy, { ...BEFORE, features: [flag('a', forUser('nobody'))] })
    expect(await names(proxy)).toEqual([])
    expect(lines.slice(1)).toEqual(['All flags of the upstream are accepted again'])
  })

  test('logs a strategy that is not known once, for as long as it is there', async () => {
    const strange = flag('a', { strategies: [{ name: 'strange', parameters: {} }] })
    const proxy = await start({ features: [strange] })
    await next(proxy, { features: [strange, flag('b')] })
    expect(lines).toEqual(['Feature "a": strategy "strange" is unknown'])
  })

  test('the log names some of many, each shortened', async () => {
    const broken = Array.from({ length: 500 }, (_, i) => flag(`${'n'.repeat(5000)}${i}`, { strategies: 'x' }))
    await start({ features: [...broken, flag('a')] })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.length).toBeLessThan(3000)
    expect(lines[0]).toMatch(/ and 490 more$/)
  })

  test('a backup keeps the good one, and a flag of a backup stays when the upstream starts with a bad one', async () => {
    const backupFolder = join(folder.path, 'flaws')
    mkdirSync(backupFolder)
    const first = await start(BEFORE, { backupFolder })
    await next(first, { ...BEFORE, features: [flag('a', { strategies: 'x' }), changedB] })
    await first.close()
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    const again = await start({}, { backupFolder })
    expect(await names(again)).toEqual(['a'])
    upstream.answerWith(undefined)
    await next(again, { features: [flag('a', { strategies: 'x' }), flag('c')] })
    expect(await names(again)).toEqual(['a', 'c'])
  })

  test('a bad flag of a bootstrap is off, the others are served', async () => {
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    const data = [flag('a', { strategies: 'x' }), flag('b'), flag('c'), flag('c')]
    const proxy = await startProxy({ flagUrl: upstream.url, logger, ...FAST, expBootstrap: { data } } as ProxyConfig)
    proxies.push(proxy)
    expect(await names(proxy)).toEqual(['b'])
    expect(lines).toContain(
      'Not accepted from the bootstrap: flag "a" (strategies are not a list; off), flag "c" (occurs 2 times; off)',
    )
  })
})
