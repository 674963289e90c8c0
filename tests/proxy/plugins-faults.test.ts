import type { ProxyConfig } from '@burgee/proxy/options'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { keptLog } from '../support/kept-log.ts'
import { KEY, startProxy, type TestProxy } from '../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'

/** Faults in custom code of operators, and damage that such code must not be able to do. */
const when = (contextName: string, value: string) => ({
  name: `${contextName}=${value}`,
  enabled: true,
  strategies: [{ name: 'default', constraints: [{ contextName, operator: 'IN', values: [value] }] }],
})
const DOCUMENT = {
  features: [
    { name: 'steady', enabled: true, strategies: [] },
    { name: 'own', enabled: true, strategies: [{ name: 'Own', parameters: { a: '1' } }] },
    { name: 'own or all', enabled: true, strategies: [{ name: 'Own' }, { name: 'default' }] },
    when('environment', 'forced'),
    when('environment', 'by enricher'),
    when('userId', 'enriched'),
    when('appName', 'flag-proxy'),
    when('remoteAddress', '127.0.0.1'),
    when('seen', '127.0.0.1'),
    when('seen', '192.0.2.7'),
  ],
}

let upstream: FakeUpstream
let proxy: TestProxy | undefined
const { logger, lines } = keptLog()
beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
})
beforeEach(() => {
  lines.length = 0
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
})
afterAll(() => upstream.close())

const ask = async (config: ProxyConfig, query = '', headers: Record<string, string> = {}): Promise<Response> => {
  proxy ??= await startProxy({ flagUrl: upstream.url, logger, ...config })
  return fetch(`${proxy.url}/proxy${query}`, { headers: { authorization: KEY, ...headers } })
}
const names = async (response: Response): Promise<string[]> => {
  expect(response.status).toBe(200)
  const { toggles } = (await response.json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}
const fail = (): never => {
  throw new Error('out of order')
}

const failWithText = (): never => {
  throw 'out of order'
}
function spoil(parameters: Record<string, unknown>, context: Record<string, unknown>): boolean {
  delete context.userId
  context.properties = null
  parameters.a = 'spoilt'
  return true
}

describe('a strategy that', () => {
  test.each<[string, boolean, unknown]>([
    ['throws an Error', false, fail],
    ['throws a text', false, failWithText],
    ['answers true', true, () => true],
    ['answers 1', false, () => 1],
    ['answers "true"', false, () => 'true'],
    ['answers an object', false, () => ({ enabled: true })],
    ['answers nothing', false, () => undefined],
    ['answers a promise', false, async () => true],
    ['answers a promise that rejects', false, async () => fail()],
    ['spoils what it is given', true, spoil],
  ])('%s is %s; others are untouched', async (_name, isOn, isEnabled) => {
    const config = { customStrategies: [{ name: 'Own', isEnabled }] }
    for (let time = 0; time < 2; time += 1) {
      const seen = await names(await ask(config))
      expect(seen.includes('own')).toBe(isOn)
      expect(seen).toEqual(expect.arrayContaining(['steady', 'own or all']))
    }
    const failures = lines.filter((line) => line.includes('Custom strategy "Own" failed; it counts as false'))
    expect(failures).toHaveLength(isOn ? 0 : 1)
  })

  test('answers with its result, and is on for {enabled: true} only', async () => {
    for (const [result, isOn] of [
      [{ enabled: true }, true],
      [{ enabled: 1 }, false],
      [undefined, false],
      [null, false],
      ['x', false],
    ] as const) {
      const seen = await names(await ask({ customStrategies: [{ name: 'Own', getResult: () => result }] }))
      expect([result, seen.includes('own')]).toEqual([result, isOn])
      await proxy?.close()
      proxy = undefined
    }
  })
})

describe('enrichers', () => {
  test('see the address, and come before the environment is put in', async () => {
    const seen: unknown[] = []
    const enricher = (context: { remoteAddress?: string; properties?: object }) => {
      seen.push({ ...context })
      const properties = { ...context.properties, seen: context.remoteAddress }
      return { ...context, userId: 'enriched', environment: 'by enricher', appName: undefined, properties }
    }
    const config = { expCustomEnrichers: [enricher], environment: 'forced', trustProxy: ['loopback'] }
    const on = ['steady', 'own or all', 'environment=forced', 'userId=enriched', 'appName=flag-proxy']
    expect(await names(await ask(config, '?userId=1&environment=sent'))).toEqual([
      ...on,
      'remoteAddress=127.0.0.1',
      'seen=127.0.0.1',
    ])
    expect(await names(await ask(config, '', { 'x-forwarded-for': '192.0.2.7' }))).toEqual([...on, 'seen=192.0.2.7'])
    expect(seen[0]).toEqual({ userId: '1', environment: 'sent', remoteAddress: '127.0.0.1', properties: {} })
  })

  test('may change the environment where none is configured', async () => {
    const expCustomEnrichers = [(context: object) => ({ ...context, environment: 'by enricher' })]
    expect(await names(await ask({ expCustomEnrichers }))).toContain('environment=by enricher')
  })

  test.each<[string, unknown]>([
    ['an empty object', () => ({})],
    ['one frozen', (context: object) => Object.freeze({ ...context, properties: Object.freeze({}) })],
    ['properties of null', (context: object) => ({ ...context, properties: null })],
    ['numbers and objects for texts', (context: object) => ({ ...context, userId: 7, remoteAddress: {}, seen: [] })],
    ['an object without prototype', (context: object) => Object.assign(Object.create(null), context)],
  ])('may answer %s', async (_name, enricher) => {
    expect(await names(await ask({ expCustomEnrichers: [enricher] }))).toEqual(
      expect.arrayContaining(['steady', 'own or all']),
    )
  })

  test.each<[string, unknown]>([
    ['null', () => null],
    ['a list', () => []],
    ['a promise of nothing', async () => {}],
    ['with a text that they throw', failWithText],
  ])('fail the request if they return %s; the log has the name', async (_name, enricher) => {
    Object.defineProperty(enricher, 'name', { value: 'lookUp' })
    const first = (context: object) => context
    const response = await ask({ expCustomEnrichers: [first, enricher] })
    expect([response.status, await response.json()]).toEqual([500, { error: 'A context enricher failed.' }])
    expect(lines.filter((line) => line.startsWith('Context enricher "lookUp" failed'))).toHaveLength(1)
    expect((await fetch(`${proxy?.url}/proxy/health`)).status).toBe(200)
  })

  test('an answer whose members throw fails the request', async () => {
    const properties = Object.defineProperty({}, 'seen', { get: fail, enumerable: true })
    const enricher = (context: { userId?: string }) => (context.userId === 'bad' ? { ...context, properties } : context)
    expect((await ask({ expCustomEnrichers: [enricher] }, '?userId=bad')).status).toBe(500)
    expect((await ask({})).status).toBe(200)
  })

  test('one without a name is named by its place; requests that do not fail are answered', async () => {
    const expCustomEnrichers = [
      (context: object) => context,
      (
        () => (context: { userId?: string }) =>
          context.userId === 'bad' ? fail() : context
      )(),
    ]
    const answers = await Promise.all(
      ['', '?userId=bad', ''].map(async (query) => (await ask({ expCustomEnrichers }, query)).status),
    )
    expect(answers).toEqual([200, 500, 200])
    expect(lines.some((line) => line.startsWith('Context enricher "1" failed Error: out of order'))).toBe(true)
  })

  test.each<[string, (context: object) => Promise<object>, boolean]>([
    ['4.9 s', (context) => new Promise((resolve) => setTimeout(() => resolve(context), 4900)), true],
    ['6 s', (context) => new Promise((resolve) => setTimeout(() => resolve(context), 6000)), false],
    [
      '6 s and then rejects',
      () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error()), 6000)),
      false,
    ],
    ['for ever', () => new Promise(() => {}), false],
  ])('one that takes %s', async (_name, slow, isAnswered) => {
    vi.useFakeTimers()
    try {
      const settings = { appName: 'a', environment: undefined, trustProxy: false, trustedAddressWins: false }
      const enrichers = [slow] as ConstructorParameters<typeof ContextReader>[0]['enrichers']
      const reader = new ContextReader({ ...settings, enrichers, sessionChance: () => 0, logger })
      const caller = { method: 'GET', url: '/proxy', params: {}, headers: {}, remoteAddress: '127.0.0.1', id: '1' }
      const outcome = Promise.resolve(reader.fromQuery({}, caller)).then(
        () => true,
        () => false,
      )
      await vi.advanceTimersByTimeAsync(5000)
      expect(await outcome).toBe(isAnswered)
      await vi.advanceTimersByTimeAsync(5000)
      expect(vi.getTimerCount()).toBe(0)
      expect(lines.map((line) => line.replace(/"\w*"/, '"…"'))).toEqual(
        isAnswered ? [] : ['Context enricher "…" failed Error: it took longer than 5000 ms'],
      )
    } finally {
      vi.useRealTimers()
    }
  })
})
