import { describe, expect, test, vi } from 'vitest'
import { BodyBudget } from './body-budget.ts'
import type { Refusal } from './refusal.ts'

const MIB = 1024 * 1024
const OVERLOADED = expect.objectContaining({ reason: 'overloaded', status: 503 })

/** Reserves memory for a body. Returns the error, if it fails. */
function failureOf(budget: BodyBudget, bytes: number, owners: readonly string[] = []): unknown {
  try {
    budget.open(owners).take(bytes)
    return undefined
  } catch (error) {
    return error
  }
}

describe('the budget', () => {
  test('counts a byte twice, and is free again when a lease is released', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    const lease = budget.open()
    lease.take(MIB)
    lease.take(1)
    expect(budget.bytes).toBe(2 * MIB + 2)
    lease.release()
    lease.release()
    expect(budget.bytes).toBe(0)
  })

  test('refuses bodies beyond seven eighths, and gives the rest to small bodies only', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    expect(budget.maxBodyBytes).toBe(3.5 * MIB)
    expect(failureOf(budget, 3.5 * MIB)).toBeUndefined()
    expect(failureOf(budget, 16 * 1024 + 1)).toEqual(OVERLOADED)
    for (let count = 0; count < 32; count += 1) expect(failureOf(budget, 16 * 1024)).toBeUndefined()
    expect(failureOf(budget, 16 * 1024)).toEqual(OVERLOADED)
    expect(budget.bytes).toBe(8 * MIB)
    expect(budget.refused).toEqual({ overloaded: 2, stalled: 0 })
  })

  test('a body that grows is no small one any more', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    budget.open().take(3.5 * MIB)
    const lease = budget.open()
    lease.take(16 * 1024)
    expect(() => lease.take(1)).toThrow(OVERLOADED)
    // the memory that the lease reserved remains reserved
    expect(budget.bytes).toBe(7 * MIB + 32 * 1024)
  })

  test('holds a decompressor as well', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    budget.open().takeDecoder()
    expect(budget.bytes).toBe(64 * 1024)
  })
})

describe('an owner', () => {
  const KIB = 1024
  const held = (budget: BodyBudget, bytes: number, owners: readonly string[]): number => {
    for (let count = 0; ; count += 1) if (failureOf(budget, bytes, owners) !== undefined) return count
  }

  test.each([
    { name: 'gets half with large bodies', kib: 32, owners: ['a'], expected: [56, 28, 14] },
    { name: 'gets half with small bodies', kib: 16, owners: ['a'], expected: [128, 64, 32] },
    { name: 'is refused if any of several has its share', kib: 32, owners: ['a', 'shared'], expected: [56, 0, 0] },
  ])('$name, and leaves room to others', ({ kib, owners, expected }) => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    const others = (name: string) => [name, ...owners.slice(1)]
    const counts = [owners, others('b'), others('c')].map((each) => held(budget, kib * KIB, each))
    expect(counts).toEqual(expected)
    expect(failureOf(budget, kib * KIB, ['new'])).toBeUndefined()
  })

  test('may always use what is free for one body', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    expect(failureOf(budget, 3.5 * MIB, ['a'])).toBeUndefined()
    expect(failureOf(budget, 16 * KIB, ['a'])).toBeUndefined()
  })

  test('gets room for large bodies and for small ones apart', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    expect([held(budget, 32 * KIB, ['a']), held(budget, 16 * KIB, ['a'])]).toEqual([56, 72])
    expect(failureOf(budget, 32 * KIB, ['b'])).toBeUndefined()
    expect(failureOf(budget, 16 * KIB, ['b'])).toBeUndefined()
  })

  test('holds nothing any more when its bodies are released, however they have grown', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    const leases = Array.from({ length: 20 }, () => budget.open(['a']))
    for (const lease of leases) lease.take(10 * KIB)
    for (const lease of leases) lease.take(50 * KIB)
    for (const lease of leases) lease.release()
    expect([budget.bytes, held(budget, 32 * KIB, ['a'])]).toEqual([0, 56])
  })

  test('reads in the refusal that others are not affected', () => {
    const budget = new BodyBudget({ maxBytes: 8 * MIB })
    held(budget, 32 * KIB, ['a'])
    expect(failureOf(budget, 32 * KIB, ['a'])).toMatchObject({
      message: expect.stringContaining('of your token or network'),
    })
  })
})

describe('a body in transit', () => {
  const scene = () => {
    let nowMs = 0
    const budget = new BodyBudget({ maxBytes: 8 * MIB, now: () => nowMs })
    const lease = budget.open()
    const stop = vi.fn<(refusal: Refusal) => void>(() => lease.unwatch())
    lease.watch(stop)
    const at = (ms: number) => {
      nowMs = ms
      budget.sweep()
      return stop.mock.calls.map(([{ reason, status }]) => [reason, status])
    }
    return { budget, lease, at }
  }

  test('times out with 408 after ten seconds without progress', () => {
    const { budget, at } = scene()
    expect(at(9_999)).toEqual([])
    expect(at(10_000)).toEqual([['timeout', 408]])
    expect(at(30_000)).toHaveLength(1)
    expect(budget.refused).toEqual({ overloaded: 0, stalled: 1 })
  })

  test('continues while each interval brings 16 kB', () => {
    const { lease, at } = scene()
    lease.arrivedBytes = 16 * 1024
    expect(at(10_000)).toEqual([])
    lease.arrivedBytes = 16 * 1024 - 1
    expect(at(19_999)).toEqual([])
    expect(at(20_000)).toHaveLength(1)
  })

  test('never times out once it is complete', () => {
    const { lease, at } = scene()
    lease.unwatch()
    expect(at(60_000)).toEqual([])
  })
})
