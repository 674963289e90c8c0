import { expect, test } from 'vitest'
import { readConnection } from './report-connection.ts'

const bucket = { start: '2026-11-28T10:00:00Z', stop: '2026-11-28T10:00:15Z' }

test.each<[name: string, headers: Record<string, string>, id: string, intervalMs: number]>([
  [
    'the id and interval of the headers',
    { 'unleash-connection-id': 'c-1', 'unleash-interval': '30000' },
    'c-1',
    30_000,
  ],
  ['the instance and the length of the bucket', {}, 'shop one', 15_000],
  ['no literal undefined as an interval', { 'unleash-interval': 'undefined' }, 'shop one', 15_000],
  ['no interval above an hour', { 'unleash-interval': '1e9' }, 'shop one', 3_600_000],
  ['no negative interval', { 'unleash-interval': '-1' }, 'shop one', 15_000],
  ['an id of limited length', { 'unleash-connection-id': 'c'.repeat(10_000) }, 'c'.repeat(100), 15_000],
])('a connection has %s', (_, headers, id, intervalMs) => {
  expect(readConnection({ headers }, { appName: 'shop', instanceId: 'one', bucket })).toEqual({ id, intervalMs })
})

test('a report without a bucket has an interval of a minute', () => {
  expect(readConnection({ headers: {} }, { appName: 'shop' })).toEqual({ id: 'shop ', intervalMs: 60_000 })
})
