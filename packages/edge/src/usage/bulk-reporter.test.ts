import { toNetwork } from '@burgee/kit/http/client-network'
import { type Logger, SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { DEFAULT_COLLECTION_LIMITS } from '@burgee/serving/impact/impact-bounds'
import type { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { UpstreamError } from '@burgee/serving/upstream/upstream'
import { createNameOwner, type NameOwner } from '@burgee/serving/usage/name-budget'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FetchingToken } from '../environments/fetching-tokens.ts'
import { type BulkReport, ImpactUnsupported, PartlyReported } from '../upstream/upstream-interface.ts'
import { splitIntoPieces } from './bulk-pieces.ts'
import { createUsage } from './bulk-reporter.ts'

const NOON = Date.parse('2026-11-23T12:34:56Z')
const INTERVAL_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Creates a token: `p+q:dev` is for the projects p and q of dev. */
function tokenOf(text: string): FetchingToken {
  const [projects = '', environment = ''] = text.split(':')
  return { text, id: text, environment, projects: projects.split('+') }
}
const of = (token: string, owner?: NameOwner) => ({ lane: tokenOf(token), owner })

type Row = { featureName: string; appName: string; environment: string; timestamp: string; yes: number; no: number }

function start(
  tokens: readonly string[] = ['*:dev'],
  answer: (report: BulkReport, token: string) => unknown = () => {},
) {
  const sent: { readonly token: string; readonly report: BulkReport; readonly bytes: number; readonly at: number }[] =
    []
  const taken: Row[] = []
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const logger: Logger = { ...SILENT, warn: say, error: say }
  const fetching = {
    tokens: tokens.map(tokenOf),
    current: () => fetching.tokens,
    isSettled: true,
    subscribe: () => () => {},
  }
  const usage = createUsage({
    fetching,
    upstream: {
      report: async (token, report) => {
        sent.push({ token, report, bytes: Buffer.byteLength(JSON.stringify(report)), at: Date.now() - NOON })
        await answer(report, token)
        taken.push(...(report.metrics as unknown as Row[]))
      },
    },
    intervalMs: INTERVAL_MS,
    impactLimits: DEFAULT_COLLECTION_LIMITS,
    clock: Date.now,
    monotonic: monotonicClock(Date.now),
    random: () => 0.5,
    logger,
  })
  const count = (name: string, token = '*:dev', yes = 1, appName = 'app') =>
    usage.count(of(token), appName, [{ name, at: undefined, yes, no: 0, variants: {} }])
  const pass = (intervals = 1) => vi.advanceTimersByTimeAsync(intervals * INTERVAL_MS)
  return { usage, sent, taken, lines, count, pass, fetching }
}

const fail = (status: number) => () => {
  throw new UpstreamError(status, '/client/metrics/bulk')
}

describe('reports to the upstream', () => {
  test('counts by application, flag and hour', async () => {
    const { usage, sent, taken, pass } = start()
    const rows: [string, string, string | number | undefined, number][] = [
      ['web', 'f', undefined, 1],
      ['web', 'f', '2026-11-23T12:10:00Z', 2],
      ['web', 'f', NOON - 3_600_000, 3],
      ['shop', 'f', undefined, 4],
      ['web', 'f', '2026-12-24T12:00:00Z', 5],
      ['web', 'f', '1999-01-01T00:00:00Z', 6],
      ['web', 'f', 'soon', 7],
    ]
    for (const [app, name, at, yes] of rows) {
      usage.count(of('*:dev'), app, [{ name, at, yes, no: 1, variants: { blue: yes } }])
    }
    await pass()
    const now = '2026-11-23T12:00:00.000Z'
    expect(taken.map(({ appName, timestamp, yes, no }) => [appName, timestamp, yes, no])).toEqual([
      ['web', now, 1 + 2 + 5 + 6 + 7, 5],
      ['web', '2026-11-23T11:00:00.000Z', 3, 1],
      ['shop', now, 4, 1],
    ])
    expect(taken[0]).toMatchObject({ environment: 'dev', featureName: 'f', variants: { blue: 21 } })
    await pass()
    expect(sent.length).toBe(1)
  })

  test('an application is reported once per interval with all its details, however often it registers', async () => {
    const { usage, sent, pass } = start(['p:dev', 'q:dev'])
    const application = { appName: 'web', instanceId: 'one', sdkVersion: 'sdk:1', strategies: ['default'] }
    for (const project of ['p', 'q', 'p']) usage.register(of(`${project}:dev`), application)
    usage.register(of('p:dev'), { ...application, instanceId: 'two' })
    await pass()
    const applications = sent.flatMap(({ report }) => report.applications)
    expect(applications.map(({ instanceId }) => instanceId)).toEqual(['one', 'two'])
    expect(applications[0]).toEqual({
      ...application,
      environment: 'dev',
      started: '2026-11-23T12:34:56.000Z',
      interval: 60,
    })
  })

  test.each([
    ['with a token that is for its projects', ['p:dev', 'q:dev', '*:prod'], 'q:dev', ['q:dev']],
    ['with one of all projects', ['p:dev', '*:dev'], 'q:dev', ['*:dev']],
    ['with any of its environment', ['p:dev', '*:prod'], 'q:dev', ['p:dev']],
    ['never with one of another environment', ['*:prod'], 'q:dev', []],
  ])('%s', async (_name, tokens, token, expected) => {
    const { sent, count, pass } = start(tokens)
    count('f', token)
    await pass()
    expect(sent.map((one) => one.token)).toEqual(expected)
  })

  test('300 kB of counts arrive in pieces that every upstream takes', async () => {
    const { sent, taken, count, pass } = start()
    for (let index = 0; index < 2500; index += 1) count(`flag-${index}-ü`)
    await pass()
    expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(300_000)
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(95 * 1024)
    expect([sent.length, new Set(taken.map(({ featureName }) => featureName)).size]).toEqual([4, 2500])
  })

  test('a row of any number of variants becomes rows that add up to it', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(500, '😀'))
    const variants = Object.fromEntries(names.map((name) => [name, 1]))
    const row = { featureName: 'f', appName: 'a', environment: 'e', timestamp: 't', yes: 5, no: 6, variants }
    const pieces = splitIntoPieces({ applications: [], metrics: [row] })
    const rows = pieces.flatMap(({ metrics }) => metrics)
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(JSON.stringify(piece))))).toBeLessThanOrEqual(95 * 1024)
    expect(Object.assign({}, ...rows.map((one) => one.variants))).toEqual(variants)
    expect(rows.reduce((sum, { yes, no }) => sum + yes * 100 + no, 0)).toBe(506)
  })
})

describe('impact metrics', () => {
  const counter = (name: string, value: number) => [
    { name, help: '', type: 'counter', samples: [{ labels: { appName: 'shop', environment: 'x' }, value }] },
  ]
  const EDGE = { origin: 'edge', isPublic: false } as const

  test('adds them up and sends them apart from counts', async () => {
    const { usage, sent, count, pass } = start()
    count('f')
    for (const value of [1, 2]) usage.addImpact(of('*:dev'), counter('errors', value), EDGE)
    await pass()
    expect(sent.map(({ report }) => report.impactMetrics)).toEqual([
      undefined,
      [
        {
          name: 'errors',
          help: '',
          type: 'counter',
          samples: [{ labels: { appName: 'shop', origin: 'edge' }, value: 3 }],
        },
      ],
    ])
  })

  test('an upstream that rejects them gets the counts, and one bad metric does not hold up others', async () => {
    const values: (number | undefined)[] = []
    const { usage, taken, lines, count, pass } = start(['*:dev'], ({ impactMetrics = [] }) => {
      if (impactMetrics.some(({ name }) => name === 'bad')) fail(400)()
      values.push(...impactMetrics.map(({ samples }) => samples[0]?.value))
    })
    count('f')
    for (const name of ['a', 'bad', 'c']) usage.addImpact(of('*:dev'), counter(name, 1), EDGE)
    await pass()
    expect([taken.length, values]).toEqual([1, [1, 1]])
    expect(lines).toEqual([expect.stringContaining('Dropped 1 series of impact metrics: the upstream rejects "bad"')])
    expect(usage.refusals.list()).toContainEqual([{ reason: 'undelivered' }, 1])
  })

  test('stay within their bounds while the upstream is away, and all values arrive', async () => {
    let isUp = false
    let total = 0
    const { usage, pass } = start(['*:dev'], ({ impactMetrics = [] }) => {
      if (!isUp) fail(503)()
      for (const { samples } of impactMetrics) for (const { value = 0 } of samples) total += value
    })
    const samples = Array.from({ length: 5000 }, (_, id) => ({ labels: { id }, value: 1 }))
    for (let round = 0; round < 3; round += 1) {
      usage.addImpact(of('*:dev'), [{ name: 'many', help: '', type: 'counter', samples }], EDGE)
      await pass()
    }
    isUp = true
    await pass(10)
    expect(total).toBe(15_000)
  })
})

describe('reports that the upstream rejects', () => {
  test.each([400, 413, 422])('%d: a piece is halved until it is clear which row it is', async (status) => {
    const { usage, taken, lines, count, pass } = start(['*:dev'], ({ metrics }) => {
      if (metrics.some(({ featureName }) => featureName === 'f7')) fail(status)()
    })
    for (let index = 0; index < 20; index += 1) count(`f${index}`)
    await pass()
    expect([taken.length, usage.getStatus().dropped, usage.getStatus().waiting.flags]).toEqual([19, 1, 0])
    expect(lines).toEqual([expect.stringContaining('the upstream rejects "f7"')])
  })

  test.each([429, 500, 503, 'unreachable'] as const)(
    '%s: keeps the report and retries at growing intervals',
    async (status) => {
      let isUp = false
      const { usage, sent, taken, lines, count, pass } = start(['*:dev'], () => {
        if (isUp) return
        if (status === 'unreachable') throw new Error('ECONNREFUSED')
        fail(status)()
      })
      count('f')
      await pass(6)
      count('f', '*:dev', 2)
      expect(sent.map(({ at }) => at / INTERVAL_MS)).toEqual([1, 2, 4])
      isUp = true
      await pass(2)
      expect([taken.map(({ yes }) => yes), usage.getStatus().dropped]).toEqual([[3], 0])
      expect(lines).toEqual([expect.stringContaining('keeping it'), 'Delivering usage works again'])
    },
  )

  test.each([401, 403, 404])('%d: keeps the report for ten minutes, then drops it with a warning', async (status) => {
    const { usage, lines, count, pass } = start(['*:dev', '*:prod'], (_report, token) => {
      if (token === '*:dev') fail(status)()
    })
    count('f', '*:dev')
    count('g', '*:prod')
    await pass(8)
    expect([usage.getStatus().waiting.flags, usage.getStatus().dropped]).toEqual([1, 0])
    await pass(20)
    expect([usage.getStatus().waiting.flags, usage.getStatus().dropped]).toEqual([0, 1])
    expect(lines[1]).toContain(`environment "dev" is not accepted: The upstream answered ${status}`)
  })

  test('a report is retried no sooner than the upstream allows', async () => {
    const busy = () => {
      throw new UpstreamError(503, '/client/metrics/bulk', '', 4.5 * INTERVAL_MS)
    }
    const { sent, count, pass } = start(['*:dev'], busy)
    count('f')
    await pass(10)
    expect(sent.map(({ at }) => at / INTERVAL_MS)).toEqual([1, 6])
  })

  test('a partly delivered report resends only the rest', async () => {
    let isUp = false
    const { taken, count, pass } = start(['*:dev'], ({ metrics }) => {
      if (isUp) return
      isUp = true
      const cause = new UpstreamError(503, '/client/metrics')
      throw new PartlyReported({ applications: [], metrics: metrics.slice(1) }, { cause })
    })
    for (const name of ['a', 'b', 'c']) count(name)
    await pass(3)
    expect(taken.map(({ featureName }) => featureName)).toEqual(['b', 'c'])
  })

  test('a report waits until there is a token of its environment', async () => {
    const { taken, count, pass, fetching } = start([])
    count('f')
    await pass(3)
    fetching.tokens = [tokenOf('*:dev')]
    await pass(3)
    expect(taken.map(({ featureName }) => featureName)).toEqual(['f'])
  })

  test('invented names fill no memory: names beyond the bounds are dropped and counted', async () => {
    const { usage, count } = start([])
    for (let index = 0; index < 60_000; index += 1) count(`flag-${index}`, '*:dev', 1, `app-${index}`)
    count('x'.repeat(501))
    const register = (appName: string, strategies: string[] = []) =>
      usage.register(of('*:dev'), { appName, instanceId: 'i', sdkVersion: undefined, strategies })
    for (let index = 0; index < 11_000; index += 1) register(`app-${index}`)
    register('huge', ['x'.repeat(10_000)])
    const { waiting, dropped } = usage.getStatus()
    expect([waiting.names, waiting.registrations]).toEqual([100_000, 10_000])
    expect(dropped).toBe(10_000 + 1 + 1000 + 1)
  })

  test('a token that invents names leaves room for those of others, also while nothing is delivered', async () => {
    let isUp = false
    const { usage, taken, pass } = start(['*:dev'], () => {
      if (!isUp) fail(503)()
    })
    const report = (owner: NameOwner, names: readonly string[]) => {
      const counts = names.map((name) => ({ name, at: undefined, yes: 1, no: 0, variants: { [`v-${name}`]: 1 } }))
      usage.count(of('*:dev', owner), `app of ${owner.token}`, counts)
      const application = { instanceId: 'i', sdkVersion: undefined, strategies: [] }
      for (const name of names.slice(0, 4000)) usage.register(of('*:dev', owner), { ...application, appName: name })
    }
    const stranger = createNameOwner(toNetwork('192.0.2.1'), 'public')
    const honest = [createNameOwner(toNetwork('192.0.2.2'), 'public'), createNameOwner(toNetwork('192.0.2.1'), 'own')]
    for (let round = 0; round < 2; round += 1) {
      report(
        stranger,
        Array.from({ length: 50_000 }, (_, index) => `invented-${round}-${index}`),
      )
      for (const owner of honest) report(owner, [`${owner.pair} ${round}`])
      await pass()
    }
    isUp = true
    await usage.close(60_000)
    const names = new Set(taken.map(({ featureName }) => featureName))
    const expected = honest.flatMap(({ pair }) => Array.from({ length: 2 }, (_, round) => `${pair} ${round}`))
    expect(expected.filter((name) => !names.has(name))).toEqual([])
    expect(names.size).toBeGreaterThan(20_000)
    expect(usage.getStatus().dropped).toBeGreaterThan(50_000)
  })

  test('the room is there again once it is delivered', async () => {
    const { usage, count, pass } = start()
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 40_000; index += 1) count(`flag-${index}`)
      usage.register(of('*:dev'), {
        appName: 'a',
        instanceId: undefined,
        sdkVersion: undefined,
        strategies: ['s'],
      })
      await pass()
    }
    expect(usage.getStatus()).toMatchObject({ dropped: 0, waiting: { registrations: 0, flags: 0, names: 0 } })
  })
})

const impact = (name: string, samples: readonly object[] = [{ labels: {}, value: 1 }]) => [
  { name, help: '', type: 'counter', samples },
]
const SERVER_SDK = { origin: 'edge', isPublic: false } as const
const PAGE = { origin: 'browser', isPublic: true } as const

describe('deliveries of impact metrics', () => {
  /** Returns the names of the metrics in the reports. */
  const namesOf = (sent: readonly { readonly report: BulkReport }[]) =>
    sent.flatMap(({ report }) => report.impactMetrics ?? []).map(({ name }) => name)
  const undelivered = ({ refusals }: { readonly refusals: ImpactRefusals }) =>
    refusals.list().find(([{ reason }]) => reason === 'undelivered')?.[1]

  test('does not forward metrics that only a page has announced', async () => {
    const { usage, sent, pass } = start()
    usage.addImpact(of('*:dev'), impact('server', []), SERVER_SDK)
    usage.addImpact(of('*:dev'), impact('page', []), PAGE)
    usage.addImpact(of('*:dev'), impact('clicks'), PAGE)
    await pass()
    expect(namesOf(sent)).toEqual(['server', 'clicks'])
  })

  test('counts metrics that the upstream cannot store as undelivered, not as a failure', async () => {
    const { usage, lines, pass } = start(['*:dev'], () => {
      throw new ImpactUnsupported()
    })
    usage.addImpact(of('*:dev'), [...impact('a'), ...impact('b')], SERVER_SDK)
    await pass(2)
    expect(undelivered(usage)).toBe(2)
    expect(usage.getStatus()).toMatchObject({ failures: 0, deliveredAtMs: undefined })
    expect(lines).toEqual([])
  })

  test.each([400, 503])(
    'rejections of impact metrics with %d do not delay counts, and rejected counts do not delay impact metrics',
    async (status) => {
      let rejects: 'impact' | 'counts' = 'impact'
      const { usage, sent, taken, count, pass } = start(['*:dev'], ({ impactMetrics }) => {
        if ((impactMetrics === undefined) === (rejects === 'counts')) fail(status)()
      })
      for (let round = 0; round < 6; round += 1) {
        usage.addImpact(of('*:dev'), impact('errors'), SERVER_SDK)
        count('f')
        await pass()
      }
      expect(taken).toHaveLength(6)
      rejects = 'counts'
      await pass(6)
      const before = sent.length
      for (let round = 0; round < 4; round += 1) {
        usage.addImpact(of('*:dev'), impact('errors'), SERVER_SDK)
        count('f')
        await pass()
      }
      expect(namesOf(sent.slice(before))).toHaveLength(4)
    },
  )

  test('names undelivered impact metrics at the end', async () => {
    const { usage, lines } = start(['*:dev'], fail(503))
    usage.addImpact(of('*:dev'), impact('errors'), SERVER_SDK)
    await usage.close(1000)
    expect(lines.at(-1)).toBe('1 series of impact metrics were not delivered')
  })
})

describe('the end', () => {
  test('the remaining reports are delivered, even those waiting for a retry', async () => {
    let isUp = false
    const { usage, taken, count, pass } = start(['*:dev'], () => {
      if (!isUp) fail(503)()
    })
    count('f')
    await pass(4)
    isUp = true
    await usage.close(1000)
    expect(taken.map(({ featureName }) => featureName)).toEqual(['f'])
  })

  test('an upstream that hangs holds it no longer than the limit', async () => {
    const { usage, taken, lines, count, pass } = start(
      ['*:dev', '*:prod'],
      (_report, token) => token === '*:dev' && new Promise(() => {}),
    )
    count('f')
    count('g', '*:prod')
    const closing = usage.close(1000)
    await vi.advanceTimersByTimeAsync(1000)
    await closing
    expect(taken.map(({ featureName }) => featureName)).toEqual(['g'])
    expect(lines).toEqual([])
    await pass()
  })
})
