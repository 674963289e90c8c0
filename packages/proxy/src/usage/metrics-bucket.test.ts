import { toNetwork } from '@burgee/kit/http/client-network'
import { createNameOwner } from '@burgee/serving/usage/name-budget'
import { expect, test } from 'vitest'
import { MetricsBucket } from './metrics-bucket.ts'

const counts = (variants: Record<string, number> = {}) => ({ yes: 1, no: 0, variants })

test('names too long for a toggle are dropped and counted, so that few bodies cannot fill the memory', () => {
  const bucket = new MetricsBucket(() => 0)
  const [longest, tooLong] = ['x'.repeat(500), 'x'.repeat(501)]
  bucket.add(longest, counts({ [longest]: 1, [tooLong]: 1 }))
  bucket.add(tooLong, counts())
  expect(bucket.take()?.toggles).toEqual({ [longest]: { yes: 1, no: 0, variants: { [longest]: 1 } } })
  expect(bucket.dropped).toBe(2)
})

test('a clock that is set back never makes a bucket end before it began', () => {
  let now = 60_000
  const bucket = new MetricsBucket(() => now)
  now = 1000
  bucket.count('a', true, true)
  expect(bucket.take()).toMatchObject({ start: '1970-01-01T00:00:01.000Z', stop: '1970-01-01T00:00:01.000Z' })
})

const invented = (round: number) => Array.from({ length: 60_000 }, (_, index) => `invented-${round}-${index}`)
const owner = createNameOwner(toNetwork('192.0.2.1'), 'key')

test.each<[string, (bucket: MetricsBucket, name: string) => void]>([
  [
    'of the same key elsewhere',
    (bucket, name) => bucket.add(name, counts(), createNameOwner(toNetwork('192.0.2.2'), 'key')),
  ],
  [
    'of another key there',
    (bucket, name) => bucket.add(name, counts(), createNameOwner(toNetwork('192.0.2.1'), 'other')),
  ],
  ['that the proxy decided itself', (bucket, name) => bucket.count(name, true, true)],
])('invented names of a client leave room for flags %s, also while nothing is delivered', (_name, report) => {
  const bucket = new MetricsBucket(() => 0)
  for (let round = 0; round < 2; round += 1) {
    for (const name of invented(round)) bucket.add(name, counts(), owner)
    for (const name of invented(round)) bucket.count(name, true, false)
    report(bucket, `honest-${round}`)
    const payload = bucket.take()
    if (payload !== undefined) bucket.restore(payload)
  }
  const { toggles = {} } = bucket.take() ?? {}
  expect(Object.keys(toggles).filter((name) => name.startsWith('honest'))).toHaveLength(2)
})

test('names that a worker hands over count for the caller that sent them', () => {
  const primary = new MetricsBucket(() => 0)
  for (let round = 0; round < 2; round += 1) {
    const worker = new MetricsBucket(() => 0)
    for (const name of invented(round)) worker.add(name, counts(), owner)
    worker.add(`honest-${round}`, counts(), createNameOwner(toNetwork('192.0.2.2'), 'key'))
    const payload = worker.take()
    if (payload !== undefined) primary.restore(payload, worker.listOwners(payload))
  }
  const names = Object.keys(primary.take()?.toggles ?? {})
  expect(names.filter((name) => name.startsWith('honest'))).toHaveLength(2)
})
