import { randomBytes } from 'node:crypto'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { describe, expect, test } from 'vitest'
import { SAMPLE_BOUNDS, type SampleBounds, TrafficSample } from './traffic-sample.ts'

/** Difference between the fake wall clock and the fake monotonic clock. */
const EPOCH_MS = Date.UTC(2026, 0, 1)

/** Creates a sample with a fake monotonic clock (`at.nowMs`) and a fixed random value of 0.5. */
function createSample(bounds: Partial<SampleBounds> = {}) {
  const at = { nowMs: 1_000_000 }
  const monotonic = monotonicClock(() => at.nowMs)
  const parts = { clock: () => EPOCH_MS + at.nowMs, monotonic, chance: () => 0.5, random: randomBytes }
  return { at, sample: new TrafficSample({ ...parts, bounds: { ...SAMPLE_BOUNDS, ...bounds } }) }
}

const listUsers = (sample: TrafficSample) => [...sample.read()].map(({ context }) => context.userId)

describe('the sample', () => {
  test('contains the offered contexts exactly', () => {
    const { sample } = createSample()
    const properties = Object.defineProperty({ n: 1, none: Number.POSITIVE_INFINITY, list: ['a'] }, '__proto__', {
      value: 'own',
      enumerable: true,
    })
    const context = { userId: 'ü-7', sessionId: undefined, currentTime: new Date(5), properties }
    sample.offer(context, ['shop'], ['flag'])
    sample.offer({}, ['*'], undefined)
    const [first, second] = [...sample.read()]
    expect(first).toEqual({ atMs: EPOCH_MS + 1_000_000, context, projects: ['shop'], names: ['flag'] })
    expect(Object.hasOwn(first?.context.properties ?? {}, '__proto__')).toBe(true)
    expect(second).toEqual({ atMs: EPOCH_MS + 1_000_000, context: {}, projects: ['*'], names: undefined })
  })

  test.each<[string, Partial<SampleBounds>, number]>([
    ['the newest, by number', { contexts: 3 }, 3],
    ['the newest, by bytes', { bytes: 1000 }, 3],
  ])('%s', (_what, bounds, kept) => {
    const { sample } = createSample({ burst: 1_000_000, ...bounds })
    for (let user = 0; user < 500; user++) {
      sample.offer({ userId: `${user}` }, ['*'], undefined)
      expect(sample.size.contexts).toBeLessThanOrEqual(kept)
      expect(sample.size.bytes).toBeLessThanOrEqual(bounds.bytes ?? Number.POSITIVE_INFINITY)
    }
    expect(listUsers(sample)).toEqual(['497', '498', '499'])
  })

  test('omits contexts that are too long, and counts them', () => {
    const { sample } = createSample({ contextBytes: 200 })
    sample.offer({ userId: 'x'.repeat(200) }, ['*'], undefined)
    sample.offer(
      { userId: '1' },
      ['*'],
      Array.from({ length: 100 }, () => 'a-flag'),
    )
    sample.offer({ userId: '2' }, ['*'], undefined)
    expect(listUsers(sample)).toEqual(['2'])
    expect(sample.size).toMatchObject({ contexts: 1, leftOut: 2 })
  })

  test('omits contexts that cannot be serialized', () => {
    const { sample } = createSample()
    sample.offer({ userId: '1', properties: { act: () => 1 } }, ['*'], undefined)
    expect(sample.size).toMatchObject({ contexts: 0, leftOut: 1 })
  })

  test('drops contexts older than a day', () => {
    const { at, sample } = createSample()
    sample.offer({ userId: 'old' }, ['*'], undefined)
    at.nowMs += SAMPLE_BOUNDS.ageMs / 2
    sample.offer({ userId: 'new' }, ['*'], undefined)
    at.nowMs += SAMPLE_BOUNDS.ageMs / 2 + 1
    sample.tick()
    expect(listUsers(sample)).toEqual(['new'])
    expect(sample.size.sinceMs).toBe(EPOCH_MS + at.nowMs - SAMPLE_BOUNDS.ageMs / 2 - 1)
  })

  test('becomes empty once it is closed, even during a read', () => {
    const { sample } = createSample()
    for (const userId of ['1', '2', '3']) sample.offer({ userId }, ['*'], undefined)
    const reading = sample.read()
    expect(reading.next().value?.context.userId).toBe('1')
    sample.close()
    expect(reading.next().done).toBe(true)
    sample.offer({ userId: '4' }, ['*'], undefined)
    expect(sample.size).toEqual({ contexts: 0, bytes: 0, leftOut: 0, sinceMs: undefined })
  })
})

describe('a busy sample', () => {
  /** Offers a number of contexts to the sample within one second, and returns how many were sampled. */
  const second = (sample: TrafficSample, offers: number): number => {
    const before = sample.size.contexts
    for (let i = 0; i < offers; i++) sample.offer({ userId: `${i}` }, ['*'], undefined)
    sample.tick()
    return sample.size.contexts - before
  }

  test('all are taken while they are few, or come after a quiet time', () => {
    const { sample } = createSample()
    expect([second(sample, 20), second(sample, 400)]).toEqual([20, 400])
  })

  test('a flood is thinned within its first second, and evenly from then on', () => {
    const { sample } = createSample()
    expect(second(sample, 10_000)).toBeLessThan(750)
    for (let i = 0; i < 5; i++) expect(Math.abs(second(sample, 10_000) - 25)).toBeLessThanOrEqual(2)
  })

  test('more contexts than the limit are thinned out once the first are used up', () => {
    const { sample } = createSample()
    const taken = Array.from({ length: 30 }, () => second(sample, 100))
    expect(taken[0]).toBe(100)
    expect(taken.slice(15).every((count) => count <= 50)).toBe(true)
  })

  test('after a flood few are all taken again within a second', () => {
    const { sample } = createSample()
    second(sample, 100_000)
    second(sample, 3)
    expect(second(sample, 3)).toBe(3)
  })
})
