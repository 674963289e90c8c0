import { expect, test } from 'vitest'
import { getStaleReasons, type StaleFacts } from './stale-reasons.ts'

const DAY = 86_400_000
const NOW = Date.parse('2030-06-01T00:00:00Z')
const ago = (days: number) => NOW - days * DAY
const iso = (days: number) => new Date(ago(days)).toISOString()
const FRESH = { stale: 0, created_at: ago(5), last_seen_at: ago(0) }
const CLOSED: StaleFacts = { now: NOW, lifetimeDays: 40, openIn: [], openSince: 0, knownSince: 0 }

test.each([
  ['a fresh flag with requests', {}, {}, []],
  ['one that is marked', { stale: 1 }, {}, [{ kind: 'marked' }]],
  ['one as old as its type lives', { created_at: ago(40) }, {}, []],
  ['one that is older', { created_at: ago(41) }, {}, [{ kind: 'overdue', lifetimeDays: 40 }]],
  ['one of a permanent type', { created_at: ago(4000) }, { lifetimeDays: undefined }, []],
  ['one that is open since yesterday', {}, { openIn: ['production'], openSince: ago(1) }, []],
  [
    'one that is open for long',
    {},
    { openIn: ['eu', 'us'], openSince: ago(31) },
    [{ kind: 'open', since: iso(31), environments: ['eu', 'us'] }],
  ],
  ['a kill switch that is open for long', {}, { openIn: ['eu'], openSince: ago(99), lifetimeDays: undefined }, []],
  ['one last requested 30 days ago', { last_seen_at: ago(30) }, {}, []],
  ['one last requested earlier', { last_seen_at: ago(31) }, {}, [{ kind: 'unseen', since: iso(31) }]],
  ['a new one without requests', { last_seen_at: null }, {}, []],
  ['one without requests', { created_at: ago(31), last_seen_at: null }, {}, [{ kind: 'unseen', since: null }]],
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
