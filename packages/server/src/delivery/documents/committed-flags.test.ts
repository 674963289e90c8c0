import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { ChangedFlags } from '@burgee/storage/transactions/changed-flags'
import { describe, expect, test } from 'vitest'
import { CommittedFlags } from './committed-flags.ts'

const event = (id: number, featureName: string | null = 'a') => ({ id, featureName }) as StoredEvent
const flag = (name: string, title = '') => ({ feature: { name, title }, tags: [] }) as never
/**
 * Creates a change of flags in development, with their state after the change. `left` names the flags that still exist
 * after it.
 */
function createChange(names: readonly string[], left: readonly string[] = names, title = ''): ChangedFlags {
  const changed = new ChangedFlags(['development'], names)
  changed.committed = new Map([['development', left.map((name) => flag(name, title))]])
  return changed
}
const createRequest = (names: readonly string[], environment = 'development', segments = false) => ({
  environment,
  segments,
  names: new Set(names),
})

describe('flags read with a commit', () => {
  test.each<
    [string, (known: CommittedFlags) => void, ReturnType<typeof createRequest>, readonly unknown[] | undefined]
  >([
    ['nothing was read', () => {}, createRequest(['a']), undefined],
    ['it was read', (known) => known.keep([event(5)], createChange(['a'])), createRequest(['a']), [flag('a')]],
    ['it is gone', (known) => known.keep([event(5)], createChange(['a'], [])), createRequest(['a']), []],
    [
      'one of them was not read',
      (known) => known.keep([event(5)], createChange(['a'])),
      createRequest(['a', 'b']),
      undefined,
    ],
    [
      'of another environment',
      (known) => known.keep([event(5)], createChange(['a'])),
      createRequest(['a'], 'production'),
      undefined,
    ],
    [
      'segments too',
      (known) => known.keep([event(5)], createChange(['a'])),
      createRequest(['a'], 'development', true),
      undefined,
    ],
    [
      'it was not read with the commit',
      (known) => known.keep([event(5)], new ChangedFlags(['development'], ['a'])),
      createRequest(['a']),
      undefined,
    ],
    ['it was delivered', (known) => known.keep([event(5)], createChange(['a']))(), createRequest(['a']), undefined],
    [
      'a later change of it is delivered as well',
      (known) => {
        known.keep([event(6)], createChange(['a'], ['a'], 'later'))
        known.keep([event(5)], createChange(['a']))()
      },
      createRequest(['a']),
      [flag('a', 'later')],
    ],
    [
      'the delivered flag was read',
      (known) => {
        known.keep([event(5), event(6)], createChange(['a']))
        known.invalidate([event(4), event(5), event(6), event(7, 'b'), event(8, null)])
      },
      createRequest(['a']),
      [flag('a')],
    ],
    [
      'another change followed',
      (known) => {
        known.keep([event(5)], createChange(['a', 'b']))
        known.invalidate([event(5), event(6)])
      },
      createRequest(['a', 'b']),
      undefined,
    ],
    [
      'the database was set back',
      (known) => {
        known.keep([event(5)], createChange(['a']))
        known.clear()
      },
      createRequest(['a']),
      undefined,
    ],
  ])('%s', (_name, happens, wished, found) => {
    const known = new CommittedFlags()
    happens(known)
    expect(known.find(wished)).toEqual(found)
  })
})
