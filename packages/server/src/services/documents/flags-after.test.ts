import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../store/events/events.ts'
import { ChangedFlags } from '../../store/writing/changed-flags.ts'
import { FlagsAfter } from './flags-after.ts'

const event = (id: number, featureName: string | null = 'a') => ({ id, featureName }) as StoredEvent
const flag = (name: string, title = '') => ({ feature: { name, title }, tags: [] }) as never
/** Creates a change of flags in development with their state after the change; `left` omits removed flags. */
function changeOf(names: readonly string[], left: readonly string[] = names, title = ''): ChangedFlags {
  const changed = new ChangedFlags(['development'], names)
  changed.after = new Map([['development', left.map((name) => flag(name, title))]])
  return changed
}
const wish = (names: readonly string[], environment = 'development', segments = false) => ({
  ...{ environment, segments },
  names: new Set(names),
})

describe('flags after changes that are being told', () => {
  test.each<[string, (known: FlagsAfter) => void, ReturnType<typeof wish>, readonly unknown[] | undefined]>([
    ['nothing was read', () => {}, wish(['a']), undefined],
    ['it was read', (known) => known.keep([event(5)], changeOf(['a'])), wish(['a']), [flag('a')]],
    ['it is gone', (known) => known.keep([event(5)], changeOf(['a'], [])), wish(['a']), []],
    ['one of them was not read', (known) => known.keep([event(5)], changeOf(['a'])), wish(['a', 'b']), undefined],
    [
      'of another environment',
      (known) => known.keep([event(5)], changeOf(['a'])),
      wish(['a'], 'production'),
      undefined,
    ],
    ['segments too', (known) => known.keep([event(5)], changeOf(['a'])), wish(['a'], 'development', true), undefined],
    [
      'it was not read with the commit',
      (known) => known.keep([event(5)], new ChangedFlags(['development'], ['a'])),
      wish(['a']),
      undefined,
    ],
    ['it was told', (known) => known.keep([event(5)], changeOf(['a']))(), wish(['a']), undefined],
    [
      'a later change of it is told as well',
      (known) => {
        known.keep([event(6)], changeOf(['a'], ['a'], 'later'))
        known.keep([event(5)], changeOf(['a']))()
      },
      wish(['a']),
      [flag('a', 'later')],
    ],
    [
      'what it hears of was read',
      (known) => {
        known.keep([event(5), event(6)], changeOf(['a']))
        known.outdate([event(4), event(5), event(6), event(7, 'b'), event(8, null)])
      },
      wish(['a']),
      [flag('a')],
    ],
    [
      'somebody else has changed it since',
      (known) => {
        known.keep([event(5)], changeOf(['a', 'b']))
        known.outdate([event(5), event(6)])
      },
      wish(['a', 'b']),
      undefined,
    ],
    [
      'the database was set back',
      (known) => {
        known.keep([event(5)], changeOf(['a']))
        known.clear()
      },
      wish(['a']),
      undefined,
    ],
  ])('%s', (_name, happens, wished, found) => {
    const known = new FlagsAfter()
    happens(known)
    expect(known.find(wished)).toEqual(found)
  })
})
