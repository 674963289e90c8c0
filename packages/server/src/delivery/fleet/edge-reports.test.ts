import { toNetwork } from '@burgee/kit/http/client-network'
import { expect, test } from 'vitest'
import { EdgeReports } from './edge-reports.ts'

const SCOPE = { environment: 'development', projects: ['default'] }
const row = { ...SCOPE, kind: 'processes', appName: 'till', revision: 9, connections: 1, oldest: 0 } as const

function createReports() {
  const time = { now: 1_000_000 }
  const reports = new EdgeReports(() => time.now)
  const report = (id: string, remoteAddress: string, rows = 1) => {
    const headers = { 'unleash-connection-id': id }
    const caller = { method: 'POST', url: '/', headers, params: {}, remoteAddress, id: 'r' }
    reports.addHoldings(
      SCOPE,
      { caller, network: toNetwork(remoteAddress) },
      Array.from({ length: rows }, () => row),
    )
  }
  const find = (id: string) => reports.list().find((one) => one.id === id)
  return { reports, report, find, time }
}

test('a network that invents edges leaves places for the edges of other networks', () => {
  const { reports, report, find } = createReports()
  report('known', '10.0.0.1')
  expect(reports.isIncomplete).toBe(false)
  for (let index = 0; index < 1000; index += 1) report(`invented-${index}`, `2001:db8::${index.toString(16)}`)
  expect(reports.list()).toHaveLength(450)
  expect(reports.isIncomplete).toBe(true)
  report('new', '10.0.0.2')
  expect([find('known')?.holdings.size, find('new')?.holdings.size]).toEqual([1, 1])
})

test('a network that reports many rows leaves rows for the edges of other networks', () => {
  const { reports, report, find } = createReports()
  for (let index = 0; index < 20; index += 1) report(`full-${index}`, '10.0.0.1', 2000)
  expect(reports.isIncomplete).toBe(true)
  report('other', '10.0.0.2', 100)
  expect([...(find('other')?.holdings.values() ?? [])].flat()).toHaveLength(100)
})

test('reports are complete again a minute after the last report that did not fit', () => {
  const { reports, report, time } = createReports()
  for (let index = 0; index < 500; index += 1) report(`edge-${index}`, '10.0.0.1')
  expect(reports.isIncomplete).toBe(true)
  time.now += 60_000
  expect(reports.isIncomplete).toBe(false)
})

test('a caller in another network cannot change the report of an edge whose id it knows', () => {
  const { reports, report, time } = createReports()
  const status = (remoteAddress: string, edgeVersion: string, projects = ['default']) => {
    const caller = { method: 'POST', url: '/', headers: {}, params: {}, remoteAddress, id: 'r' }
    const sender = { caller, network: toNetwork(remoteAddress) }
    reports.addStatus({ environment: 'development', projects }, sender, { identifier: 'edge-1', edgeVersion })
  }
  const versions = () => reports.list().map(({ version }) => version)
  report('known', '10.0.0.1', 3)
  report('known', '10.0.0.2', 0)
  expect(reports.list().map(({ holdings }) => [...holdings.values()].flat().length)).toEqual([3, 0])
  reports.clearHoldings()
  time.now += 200_000
  expect(reports.list()).toEqual([])
  status('10.0.0.1', '19.0.0')
  status('10.0.0.2', '1.0.0')
  expect(versions()).toEqual(['19.0.0', '1.0.0'])
  status('10.0.0.1', '2.0.0', ['other'])
  status('10.0.0.1', '19.0.1')
  expect(versions()).toEqual(['19.0.1', '1.0.0'])
  time.now += 181_000
  status('10.0.0.1', '19.0.2', ['other'])
  expect(versions()).toEqual(['19.0.2'])
})
