import { expect, test } from 'vitest'
import { getStaleReasons, type StaleFacts } from './stale-reasons.ts'

const DAY = 86_400_000
const NOW = Date.parse('2030-06-01T00:00:00Z')
const ago = (days: number) => NOW - days * DAY
const iso = (days: number) => new Date(ago(days)).toISOString()
const FRESH = { stale: 0, created_at: ago(5), last_seen_at: ago(0) }
const CLOSED: StaleFacts = { now: NOW, lifetimeDays: 40, openIn: [], openSince: 0, knownSince: 0 }

test.each([
  ['a fresh flag that is asked for', {}, {}, []],
  ['one that is marked', { stale: 1 }, {}, [{ kind: 'marked' }]],
  ['one as old as its type lives', { created_at: ago(40) }, {}, []],
  ['one that is older', { created_at: ago(41) }, {}, [{ kind: 'overdue', lifetimeDays: 40 }]],
  ['one of a type that lives for ever', { created_at: ago(4000) }, { lifetimeDays: undefined }, []],
  ['one that is open since yesterday', {}, { openIn: ['production'], openSince: ago(1) }, []],
  [
    'one that is open for long',
    {},
    { openIn: ['eu', 'us'], openSince: ago(31) },
    [{ kind: 'open', since: iso(31), environments: ['eu', 'us'] }],
  ],
  ['a kill switch that is open for long', {}, { openIn: ['eu'], openSince: ago(99), lifetimeDays: undefined }, []],
  ['one that was last asked for 30 days ago', { last_seen_at: ago(30) }, {}, []],
  ['one that was last asked for before', { last_seen_at: ago(31) }, {}, [{ kind: 'unseen', since: iso(31) }]],
  ['a new one that was never asked for', { last_seen_at: null }, {}, []],
  ['one that was never asked for', { created_at: ago(31), last_seen_at: null }, {}, [{ kind: 'unseen', since: null }]],
  ['one that came with an import lately', { created_at: ago(31), last_seen_at: null }, { knownSince: ago(2) }, []],
  [
    'one with every reason',
    { stale: 1, created_at: ago(99), last_seen_at: null },
    { openIn: ['eu'], openSince: ago(50) },
    [
      { kind: 'marked' },
      { kind: 'overdue', lifetimeDays: 40 },
      { kind: 'open', since: iso(50), environments: ['eu'] },
      { kind: 'unseen', since: null },
    ],
  ],
])('%s', (_what, row, facts, reasons) => {
  expect(getStaleReasons({ ...FRESH, ...row }, { ...CLOSED, ...facts })).toEqual(reasons)
})
