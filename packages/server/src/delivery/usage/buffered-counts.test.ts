import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { toNetwork } from '@burgee/kit/http/client-network'
import type { ToggleCounts } from '@burgee/serving/usage/flag-counts'
import { createNameOwner } from '@burgee/serving/usage/name-budget'
import { describe, expect, test } from 'vitest'
import { UsageCounts } from './buffered-counts.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MOST = 50_000
/** Maximum memory per buffered name, including the text of 24 characters. */
const MAX_BYTES_PER_NAME = 350
const reporter = { key: 'token', environment: 'development', projects: ['*'], isPublic: false }
const of = { reporter, appName: 'app', hour: 0 }
const plain = (counts: UsageCounts) =>
  counts.take().map(({ featureName, yes, no, variants }) => [featureName, yes, no, Object.fromEntries(variants ?? [])])

describe('pending counts', () => {
  test('add up by name, application and hour, and are taken once', () => {
    const counts = new UsageCounts()
    counts.add(of, [['a', { yes: 1, no: 2, variants: { red: 1 } }]])
    counts.add(of, [['a', { yes: 1, variants: { red: 2, blue: 1 } }]])
    counts.add({ ...of, appName: 'other' }, [['a', { no: 1 }]])
    expect([counts.rows, counts.bufferedNames]).toEqual([2, 4])
    expect(plain(counts)).toEqual([
      ['a', 2, 2, { red: 3, blue: 1 }],
      ['a', 0, 1, {}],
    ])
    expect([plain(counts), counts.rows, counts.bufferedNames, counts.dropped]).toEqual([[], 0, 0, 0])
  })

  test('stay separate per reporter, since each has its own projects', () => {
    const counts = new UsageCounts()
    counts.add(of, [['a', { yes: 1 }]])
    counts.add({ ...of, reporter: { ...reporter, key: 'other' } }, [['a', { yes: 2 }]])
    expect(plain(counts)).toEqual([
      ['a', 1, 0, {}],
      ['a', 2, 0, {}],
    ])
  })

  test('counts return when they cannot be written', () => {
    const counts = new UsageCounts()
    counts.add(of, [['a', { yes: 1, variants: { red: 1 } }]])
    const taken = counts.take()
    counts.add(of, [['a', { yes: 5, variants: { red: 5 } }]])
    for (const count of taken) counts.restore(count)
    expect(plain(counts)).toEqual([['a', 6, 0, { red: 6 }]])
  })

  test.each<[string, ToggleCounts, number, number]>([
    ['fractions are cut off', { yes: 1.9, no: 0.5 }, 1, 0],
    ['negative ones are none', { yes: -1, no: -5 }, 0, 0],
    ['what is no number is none', { yes: Number.NaN, no: 'x' as unknown as number }, 0, 0],
    ['sums stop at 2^53 − 1', { yes: Number.MAX_SAFE_INTEGER, no: Number.POSITIVE_INFINITY }, 2 ** 53 - 1, 2 ** 53 - 1],
  ])('%s', (_name, given, yes, no) => {
    const counts = new UsageCounts()
    counts.add(of, [['a', given]])
    expect(plain(counts)).toEqual([['a', yes, no, {}]])
  })

  test.each([
    ['too long', 'x'.repeat(501)],
    ['too long in bytes', 'ä'.repeat(251)],
    ['with a NUL', 'a\0b'],
    ['with half a character', 'a\ud800'],
  ])('names that no database holds are dropped: %s', (_name, name) => {
    const counts = new UsageCounts()
    counts.add(of, [[name, { yes: 1, variants: { red: 1 } }]])
    counts.add(of, [['good', { yes: 1, variants: { [name]: 1, red: 1 } }]])
    expect(counts.dropped).toBe(2)
    expect(plain(counts)).toEqual([['good', 1, 0, { red: 1 }]])
  })
})

describe(`more than ${MOST} names`, () => {
  test('drop new flag names while pending ones keep counting, until they are taken', () => {
    const counts = new UsageCounts()
    for (let index = 0; index < MOST + 10; index += 1) counts.add(of, [[`f${index}`, { yes: 1 }]])
    expect([counts.bufferedNames, counts.dropped]).toEqual([MOST, 10])
    counts.add(of, [['f0', { yes: 1 }]])
    const [first, ...others] = plain(counts)
    expect([first, others.length]).toEqual([['f0', 2, 0, {}], MOST - 1])
    counts.add(of, [['late', { yes: 1 }]])
    expect([counts.bufferedNames, counts.dropped]).toEqual([1, 10])
  })

  test.each([
    ['the same token elsewhere', '192.0.2.2', 'token'],
    ['another token of the network', '192.0.2.1', 'other'],
  ])('names of one caller leave room for names of %s, even while nothing is written', (_name, address, key) => {
    const counts = new UsageCounts()
    const of = (from: string, token: string) => {
      const owner = createNameOwner(toNetwork(from), token)
      return { reporter: { ...reporter, key: token, owner }, appName: 'app', hour: 0 }
    }
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < MOST; index += 1) {
        counts.add(of('192.0.2.1', 'token'), [[`invented-${round}-${index}`, { yes: 1, variants: { [index]: 1 } }]])
      }
      counts.add(of(address, key), [[`honest-${round}`, { yes: 1 }]])
      for (const count of counts.take()) counts.restore(count)
    }
    const names = counts.take().map(({ featureName }) => featureName)
    expect(names.filter((name) => name.startsWith('honest'))).toHaveLength(2)
  })

  test('drop the variant names in excess', () => {
    const counts = new UsageCounts()
    const variants = Object.fromEntries(Array.from({ length: MOST }, (_, index) => [`v${index}`, 1]))
    counts.add(of, [['a', { yes: 1, variants }]])
    expect([counts.bufferedNames, counts.dropped]).toEqual([MOST, 1])
  })
})

/** Returns the bytes of the heap that `fill` makes reachable from `counts`, per buffered name. */
function measureBytesPerName(counts: UsageCounts, fill: () => void): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  fill()
  collectGarbage()
  return (process.memoryUsage().heapUsed - before) / counts.bufferedNames
}

test.each([
  { size: 'one name', names: 1 },
  { size: '800 names', names: 800 },
])(`a name takes at most ${MAX_BYTES_PER_NAME} bytes while it waits, in reports of $size each`, ({ names }) => {
  const counts = new UsageCounts()
  const bytes = measureBytesPerName(counts, () => {
    while (counts.bufferedNames < MOST / 2 - names) {
      const owner = createNameOwner(toNetwork('192.0.2.1'), 'token')
      const toggles = Array.from({ length: names }, () => [randomBytes(12).toString('hex'), { yes: 1 }] as const)
      counts.add({ reporter: { ...reporter, owner }, appName: 'app', hour: 0 }, toggles)
    }
  })
  expect(bytes).toBeLessThan(MAX_BYTES_PER_NAME)
})
