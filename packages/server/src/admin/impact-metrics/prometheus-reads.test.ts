import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PrometheusReads } from './prometheus-reads.ts'

/** Starts reads that end by hand. Returns the names of the reads that have started. */
function startReads(reads: PrometheusReads) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const start = (purpose: 'chart' | 'safeguard', name: string) =>
    reads.run(purpose, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await setImmediate()
  }
  return { started, start, end }
}

test('runs four reads at once, and lets a safeguard overtake waiting charts', async () => {
  const { started, start, end } = startReads(new PrometheusReads())
  const charts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => start('chart', name))
  const safeguard = start('safeguard', 'safeguard')
  expect(started).toEqual(['a', 'b', 'c', 'd'])
  await end('a')
  await end('b')
  expect(started.slice(4)).toEqual(['e', 'safeguard'])
  for (const name of ['c', 'd', 'e', 'safeguard', 'f']) await end(name)
  await Promise.all([...charts, safeguard])
  expect(started).toHaveLength(7)
})

test('passes a place on after a read that fails, and after one that waited for too long', async () => {
  const reads = new PrometheusReads(1)
  const { started, start, end } = startReads(reads)
  const first = ['a', 'b', 'c', 'd'].map((name) => start('chart', name))
  await expect(start('safeguard', 'late')).rejects.toThrow('Too many queries to Prometheus are waiting')
  for (const name of ['a', 'b', 'c', 'd']) await end(name)
  await Promise.all(first)
  const fail = () => reads.run('chart', () => Promise.reject(new Error('failed')))
  for (let read = 0; read < 5; read += 1) await expect(fail()).rejects.toThrow('failed')
  const next = start('chart', 'next')
  expect(started).toContain('next')
  await end('next')
  await next
})
