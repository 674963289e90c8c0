import { describe, expect, test } from 'vitest'
import { NamedCounter, type Visibility } from './named-counter.ts'

const PUBLIC = () => 'public' as const

describe('a counter with names in its labels', () => {
  test('has at most ten thousand combinations and counts further ones as others', () => {
    const counter = new NamedCounter(['toggle', 'appName'])
    for (let index = 0; index < 10_050; index += 1) {
      counter.add(1, { toggle: `f${index}`, active: 'true', appName: 'a' }, { flag: `f${index}`, project: 'p' })
    }
    const read = counter.read(PUBLIC)
    expect(read).toHaveLength(10_001)
    expect(read).toContainEqual([{ toggle: 'other', active: 'true', appName: 'other' }, 50])
  })

  test.each<[Visibility, readonly (readonly [object, number])[]]>([
    [
      'public',
      [
        [{ toggle: 'one', active: 'true' }, 2],
        [{ toggle: 'two', active: 'true' }, 3],
      ],
    ],
    ['private', [[{ toggle: '(private)', active: 'true' }, 5]]],
    ['unknown', []],
  ])('shows %s values as they may be read at that moment', (visibility, expected) => {
    const counter = new NamedCounter(['toggle'])
    counter.add(2, { toggle: 'one', active: 'true' }, { flag: 'one', project: 'p' })
    counter.add(3, { toggle: 'two', active: 'true' }, { flag: 'two', project: 'p' })
    expect(counter.read(() => visibility)).toEqual(expected)
  })
})
