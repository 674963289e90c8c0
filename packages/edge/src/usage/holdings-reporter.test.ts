import { HOLDING_LIMITS, type Holding } from '@burgee/protocol/administration/delivery-receipt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HoldingsReporter } from './holdings-reporter.ts'

const INTERVAL_MS = 10_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Reports one connection per list of projects, and pages of the project `a`. Returns the reported rows by token; `tokens` are projects by id. */
async function report(
  tokens: Readonly<Record<string, readonly string[]>>,
  connections: readonly (readonly string[])[],
  pages = 0,
): Promise<Record<string, readonly Holding[]>> {
  const sent: Record<string, readonly Holding[]> = {}
  const fetching = Object.entries(tokens).map(([id, projects]) => ({ id, text: id, environment: 'dev', projects }))
  const reporter = new HoldingsReporter({
    upstream: {
      report: async (text, { holdings = [] }) => {
        sent[text] ??= holdings
      },
    },
    fetching: { current: () => fetching, isSettled: true, subscribe: () => () => {} },
    environments: { findUpstreamNumber: (_, { id }) => id * 10, peek: () => undefined },
    isSupported: () => true,
    clock: () => 1000,
  })
  for (const [number, projects] of connections.entries()) {
    const headers = { 'unleash-appname': `app-${number}`, 'unleash-instanceid': 'one' }
    const caller = { method: 'GET', url: '/', headers, params: {}, remoteAddress: '10.0.0.1', id: 'r' }
    const scope = { environment: 'dev', projects: [...projects] }
    reporter.connections.recordUnchanged(scope, caller, { epoch: 'e1', id: 7 })
  }
  for (let number = 0; number < pages; number += 1) {
    const headers = { 'unleash-connection-id': crypto.randomUUID() }
    const caller = { method: 'GET', url: '/api/frontend', headers, params: {}, remoteAddress: '10.0.0.1', id: 'r' }
    reporter.pages.record({ environment: 'dev', projects: ['a'] }, caller, { epoch: 'e1', id: 7 })
  }
  reporter.start()
  await vi.advanceTimersByTimeAsync(INTERVAL_MS)
  await reporter.close(1)
  return sent
}

const brief = (rows: readonly Holding[] = []) => rows.map(({ appName, projects }) => [appName, projects])

test('reports each connection with the token of its projects', async () => {
  const sent = await report({ a: ['a'], b: ['b'], c: ['c'] }, [['a'], ['b']])
  expect(brief(sent.a)).toEqual([['app-0', ['a']]])
  expect(brief(sent.b)).toEqual([['app-1', ['b']]])
  expect(sent.c).toEqual([])
  expect(sent.a?.[0]).toMatchObject({ environment: 'dev', kind: 'processes', revision: 70, connections: 1 })
})

test('prefers a token that covers all projects, and otherwise divides the projects among tokens', async () => {
  const whole = await report({ a: ['a', 'b'], b: ['b', 'c'], all: ['*'] }, [['a', 'c'], ['*']])
  expect(whole.a).toEqual([])
  expect(brief(whole.all)).toEqual([
    ['app-0', ['a', 'c']],
    ['app-1', ['*']],
  ])
  const divided = await report({ a: ['a', 'b'], b: ['b', 'c'] }, [['a', 'b', 'c']])
  expect(brief(divided.a)).toEqual([['app-0', ['a', 'b']]])
  expect(brief(divided.b)).toEqual([['app-0', ['c']]])
})

test('reports pages with the revision that they have', async () => {
  const sent = await report({ all: ['*'] }, [], 1)
  expect(sent.all).toEqual([
    {
      environment: 'dev',
      projects: ['a'],
      kind: 'pages',
      appName: '',
      revision: 70,
      connections: 1,
      oldest: 1000,
    },
  ])
})

test('stays within the limits of a report', async () => {
  const projects = Array.from({ length: 250 }, (_, number) => `p${number}`)
  const { all = [] } = await report({ all: ['*'] }, [projects])
  expect(all.map((row) => row.projects.length)).toEqual([100, 100, 50])
  const rows = await report(
    { all: ['*'] },
    Array.from({ length: 15 }, () => Array.from({ length: 15_000 }, (_, n) => `p${n}`)),
  )
  expect(rows.all).toHaveLength(HOLDING_LIMITS.rows)
})
