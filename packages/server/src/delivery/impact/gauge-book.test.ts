import { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { describe, expect, test } from 'vitest'
import { GaugeBook, toGaugeRows } from './gauge-book.ts'

const MINUTE = 60_000
const BOUNDS = { metrics: 2, series: 2 }

function start() {
  const refusals = new ImpactRefusals()
  const book = new GaugeBook(BOUNDS, refusals)
  const report = (
    value: number,
    connection: string,
    now: number,
    more: { name?: string; app?: string; isPublic?: boolean } = {},
  ) => {
    const { name = 'mem', app = 'shop', isPublic = false } = more
    const labels = [['appName', app]] as const
    book.report({ name, help: '', labels, value, connection, now, intervalMs: MINUTE, isPublic })
  }
  const sample = (minute: number) => toGaugeRows(book.seal(minute * MINUTE), () => true).map(({ values }) => values)
  const refused = () => Object.fromEntries(refusals.list().flatMap(([{ reason }, n]) => (n > 0 ? [[reason, n]] : [])))
  return { book, report, sample, refused }
}

describe('gauges', () => {
  test('adds up the last value of each connection', () => {
    const { report, sample } = start()
    report(1, 'a', 0)
    report(5, 'a', 1000)
    report(2, 'b', 2000)
    expect(sample(0)).toEqual([[7, 2]])
  })

  test('forgets a connection after three intervals', () => {
    const { book, report, sample } = start()
    report(5, 'a', 1000)
    report(2, 'b', 1000)
    report(3, 'b', 2 * MINUTE)
    expect([sample(2), sample(3), sample(4), sample(5)]).toEqual([[[8, 2]], [[8, 2]], [[3, 1]], []])
    expect(book.size).toBe(0)
  })

  test('skips a connection that came after the minute', () => {
    const { report, sample } = start()
    report(5, 'a', MINUTE)
    expect(sample(0)).toEqual([])
    expect(sample(1)).toEqual([[5, 1]])
  })

  test('counts the value that a connection had when the minute ended', () => {
    const { report, sample } = start()
    report(1, 'a', 0)
    report(2, 'a', 59_999)
    report(7, 'a', MINUTE)
    expect(sample(0)).toEqual([[2, 1]])
    expect(sample(1)).toEqual([[7, 1]])
  })

  test('limits the number of metrics and series', () => {
    const { report, sample, refused } = start()
    for (const name of ['a', 'b', 'c']) report(1, 'x', 0, { name })
    for (const app of ['one', 'two', 'three']) report(1, 'x', 0, { name: 'a', app })
    expect(sample(0)).toHaveLength(3)
    expect(refused()).toEqual({ metrics: 1, series: 2 })
  })

  test('leaves half of the metrics and series to sources that are not public', () => {
    const { report, sample, refused } = start()
    for (const name of ['a', 'b', 'c']) report(1, 'x', 0, { name, isPublic: true })
    for (const app of ['one', 'two']) report(1, 'x', 0, { name: 'a', app, isPublic: true })
    report(1, 'x', 0, { name: 'server' })
    report(1, 'x', 0, { name: 'a', app: 'server' })
    expect(sample(0)).toHaveLength(3)
    expect(refused()).toEqual({ metrics: 2, series: 2 })
  })

  test('limits the number of connections', () => {
    const { book, report, refused } = start()
    for (let connection = 0; connection < 50_100; connection += 1) report(1, String(connection), 0)
    expect(book.size).toBe(50_000)
    expect(refused()).toEqual({ connections: 100 })
  })
})
