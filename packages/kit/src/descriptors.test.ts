import { closeSync, openSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  DescriptorBudget,
  describeDescriptorShortage,
  getReservedDescriptors,
  PROCESS_DESCRIPTORS,
} from './descriptors.ts'
import { monotonicClock } from './monotonic-clock.ts'

test.each([
  [256, 128],
  [1024, 128],
  [20_000, 157],
  [1_000_000, 1000],
])('a limit of %i descriptors reserves %i', (limit, reserved) => {
  expect(getReservedDescriptors(limit)).toBe(reserved)
})

test('reads the descriptors of this process', () => {
  const before = PROCESS_DESCRIPTORS.open() ?? 0
  const file = openSync('/dev/null', 'r')
  expect(PROCESS_DESCRIPTORS.open()).toBe(before + 1)
  closeSync(file)
  expect(PROCESS_DESCRIPTORS.limit()).toBeGreaterThan(before)
})

describe('a budget', () => {
  test('counts again once a second, and earlier only when half of what was free is used', () => {
    let [now, counted] = [0, 0]
    const open = () => {
      counted += 1
      return 96
    }
    const budget = new DescriptorBudget(
      { limit: () => 324, open },
      monotonicClock(() => now),
    )
    for (let count = 0; count < 50; count += 1) {
      expect(budget.hasRoom()).toBe(true)
      budget.take()
    }
    expect(counted).toBe(1)
    expect([budget.hasRoom(), counted]).toEqual([true, 2])
    now = 1000
    expect([budget.hasRoom(), counted]).toEqual([true, 3])
  })

  test('has room again once descriptors were closed, within a second', () => {
    let [now, open] = [0, 1000]
    const budget = new DescriptorBudget(
      { limit: () => 1024, open: () => open },
      monotonicClock(() => now),
    )
    expect(budget.hasRoom()).toBe(false)
    open = 10
    expect(budget.hasRoom()).toBe(false)
    now = 1000
    expect(budget.hasRoom()).toBe(true)
  })

  test('always has room where the platform has no limit', () => {
    expect(
      new DescriptorBudget(
        { limit: () => undefined, open: () => undefined },
        monotonicClock(() => 0),
      ).hasRoom(),
    ).toBe(true)
  })
})

test.each([
  [
    10_000,
    1024,
    'MAX_STREAMS (10000) does not fit: this process may open 1024 files and connections (ulimit -n), so streams stop at 896. Raise that limit or lower MAX_STREAMS',
  ],
  [896, 1024, undefined],
  [0, 100, undefined],
  [10_000, undefined, undefined],
])('a maximum of %i streams with a limit of %s descriptors: %s', (maxStreams, limit, text) => {
  const reported = limit === undefined ? { limit: () => undefined } : { limit: () => limit }
  expect(describeDescriptorShortage('MAX_STREAMS', maxStreams, { ...PROCESS_DESCRIPTORS, ...reported })).toBe(text)
})
