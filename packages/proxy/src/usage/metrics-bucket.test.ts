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
  bucket.count('a', true)
  expect(bucket.take()).toMatchObject({ start: '1970-01-01T00:00:01.000Z', stop: '1970-01-01T00:00:01.000Z' })
})
