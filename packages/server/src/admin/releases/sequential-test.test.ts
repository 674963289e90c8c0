import { createRandom } from '@burgee/kit/seeded-random'
import { describe, expect, test } from 'vitest'
import { ALPHA, compareRates, isSignificant } from './sequential-test.ts'

interface Rates {
  readonly on: number
  readonly off: number
}

const LOOKS = 300
const PER_LOOK = 100

/** Returns true if any of the repeated evaluations of the test trips. */
function trips({ on, off }: Rates, random: () => number, tau: number): boolean {
  const [group, base] = [
    { events: 0, evaluations: 0 },
    { events: 0, evaluations: 0 },
  ]
  for (let look = 0; look < LOOKS; look += 1) {
    for (let index = 0; index < PER_LOOK; index += 1) {
      if (random() < on) group.events += 1
      if (random() < off) base.events += 1
    }
    group.evaluations += PER_LOOK
    base.evaluations += PER_LOOK
    if (isSignificant(compareRates(group, base, tau), '>')) return true
  }
  return false
}

describe('the comparison of two rates', () => {
  const seed = Number(process.env.BURGEE_FUZZ_SEED ?? 20270301)

  test.each([0.01, 0.05, 0.5])('rarely trips with equal rates of %d in 300 checks', (rate) => {
    const random = createRandom(seed)
    const runs = 400
    let tripped = 0
    for (let run = 0; run < runs; run += 1) if (trips({ on: rate, off: rate }, random, 0.02)) tripped += 1
    process.stdout.write(`sequential test: seed ${seed}, rate ${rate}: ${tripped} of ${runs} runs tripped\n`)
    // at most α, plus three standard deviations of the simulation
    expect(tripped / runs).toBeLessThanOrEqual(ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / runs))
  })

  test('trips for a rate that is twice as high', () => {
    const random = createRandom(seed)
    for (let run = 0; run < 20; run += 1) expect(trips({ on: 0.1, off: 0.05 }, random, 0.02)).toBe(true)
  })

  test('follows the formula', () => {
    const { difference, evidence } = compareRates(
      { events: 30, evaluations: 100 },
      { events: 10, evaluations: 100 },
      0.1,
    )
    const variance = 0.2 * 0.8 * 0.02
    const mixed = variance + 0.01
    expect(difference).toBeCloseTo(0.2)
    expect(evidence).toBeCloseTo(Math.sqrt(variance / mixed) * Math.exp((0.01 * 0.04) / (2 * variance * mixed)))
  })

  test.each([
    ['no evaluations', { events: 0, evaluations: 0 }, { events: 0, evaluations: 0 }],
    ['no events', { events: 0, evaluations: 1000 }, { events: 0, evaluations: 1000 }],
    ['only events', { events: 5000, evaluations: 1000 }, { events: 1000, evaluations: 1000 }],
  ])('has no evidence with %s', (_name, on, off) => {
    expect(compareRates(on, off, 0.1).evidence).toBe(0)
  })

  test('trips only in the direction of the condition', () => {
    const lower = compareRates({ events: 10, evaluations: 1000 }, { events: 300, evaluations: 1000 }, 0.1)
    expect([isSignificant(lower, '>'), isSignificant(lower, '<')]).toEqual([false, true])
  })
})
