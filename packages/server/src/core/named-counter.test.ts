import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { describe, expect, test } from 'vitest'
import { type CountedFlag, NamedCounter, type Visibility } from './named-counter.ts'

const PUBLIC = () => 'public' as const
const HOUR_MS = 3_600_000

function usageCounter(limit = 3) {
  let now = 0
  const counter = new NamedCounter({
    names: ['toggle', 'appName'],
    levels: [['appName'], ['toggle', 'appName']],
    limit,
    monotonic: monotonicClock(() => now),
  })
  const add = (toggle: string, appName = 'app', project = 'p') =>
    counter.add(1, { toggle, active: 'true', appName }, { flag: toggle, project, environment: '' })
  const read = (visibilityOf: (counted: CountedFlag) => Visibility = PUBLIC) =>
    counter.read(visibilityOf).map(([{ toggle, appName }, amount]) => `${toggle} ${appName} ${amount}`)
  return {
    counter,
    add,
    read,
    wait: (ms: number) => {
      now += ms
    },
  }
}

describe('a counter with names in its labels', () => {
  test('gives up names of applications first, then those of flags, so that every value is still counted', () => {
    const { add, read } = usageCounter(3)
    for (const app of ['a', 'b', 'c', 'd', 'e']) add('one', app)
    for (const flag of ['two', 'three', 'four', 'five']) add(flag)
    expect(read()).toEqual([
      ...['one a 1', 'one b 1', 'one c 1'],
      ...['one other 2', 'two other 1', 'three other 1'],
      'other other 2',
    ])
  })

  test.each([
    { limit: 2000, flags: 500, applications: 14, rows: 2358 },
    { limit: 2000, flags: 20_000, applications: 1, rows: 4001 },
    { limit: 0, flags: 10, applications: 2, rows: 1 },
  ])(
    'has $rows rows of $flags flags × $applications applications with a limit of $limit',
    ({ limit, flags, applications, rows }) => {
      const { add, read } = usageCounter(limit)
      for (let flag = 0; flag < flags; flag += 1) {
        for (let app = 0; app < applications; app += 1) add(`f${flag}`, `a${app}`)
      }
      expect(read()).toHaveLength(rows)
    },
  )

  test('forgets what is gone, and has room for others then', () => {
    const { counter, add, read } = usageCounter(1)
    add('dead')
    expect(read(({ flag }) => (flag === 'dead' ? 'gone' : 'public'))).toEqual([])
    expect(counter.flags()).toEqual([])
    add('living')
    expect(read()).toEqual(['living app 1'])
  })

  test('lets a name in the place of one that was not counted for an hour, and of no other', () => {
    const { add, read, wait } = usageCounter(2)
    add('idle')
    wait(HOUR_MS / 2)
    add('used')
    wait(HOUR_MS / 2)
    add('new')
    add('newer')
    expect(read()).toEqual(['used app 1', 'new app 1', 'newer other 1'])
  })

  test.each<[Visibility, readonly string[]]>([
    ['public', ['one app 2', 'two app 3']],
    ['private', ['(private) (private) 5']],
    ['unknown', []],
    ['gone', []],
  ])('shows %s values as they may be read at that moment', (visibility, expected) => {
    const { counter, read } = usageCounter()
    const add = (toggle: string, amount: number) =>
      counter.add(amount, { toggle, active: 'true', appName: 'app' }, { flag: toggle, project: 'p', environment: '' })
    add('one', 2)
    add('two', 3)
    expect(read(() => visibility)).toEqual(expected)
  })
})
