import { expect, test } from 'vitest'
import { mergeGroups } from './revision-groups.ts'

test('merges connections with the same revision, and lists the newest revision of each environment first', () => {
  const group = (environment: string, holds: number | null, connections: number, isBehind = false) => ({
    environment,
    holds,
    connections,
    isBehind,
  })
  expect(
    mergeGroups([
      group('production', 7, 2, true),
      group('production', 9, 3),
      group('development', null, 1),
      group('production', 7, 1, true),
    ]),
  ).toEqual([group('development', null, 1), group('production', 9, 3), group('production', 7, 3, true)])
})
