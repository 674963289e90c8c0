import { describe, expect, test } from 'vitest'
import { HeaderBlocks, type Headers, NO_HEADERS } from './header-block.ts'
import { Reply } from './route.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LIMITS = { 'ratelimit-limit': '5', 'ratelimit-remaining': '0' }

interface Row {
  readonly what: string
  readonly first?: Headers
  readonly said?: Headers
  readonly headers: Headers
  readonly body?: string
  /** All headers sent except the content type. */
  readonly sent: Headers
  readonly type?: string
}

const ROWS: readonly Row[] = [
  { what: 'a type alone', headers: { 'content-type': JSON_TYPE }, body: '{}', sent: {}, type: JSON_TYPE },
  {
    what: 'a wait of its own',
    first: { server: 'x' },
    headers: { 'content-type': 'text/plain', 'retry-after': '7' },
    body: 'wait',
    sent: { server: 'x', 'retry-after': '7' },
    type: 'text/plain',
  },
  {
    what: 'what the route says, and what the reply says of the same',
    said: LIMITS,
    body: 'wait',
    headers: { 'content-type': 'text/plain', 'ratelimit-limit': '9', 'retry-after': '7' },
    sent: { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'retry-after': '7' },
    type: 'text/plain',
  },
  {
    what: 'what comes first is said otherwise by the reply',
    first: { 'x-frame-options': 'DENY', server: 'x' },
    headers: { 'content-type': JSON_TYPE, 'x-frame-options': 'SAMEORIGIN' },
    body: '{}',
    sent: { 'x-frame-options': 'SAMEORIGIN', server: 'x' },
    type: JSON_TYPE,
  },
  {
    what: 'names of vary come together',
    first: { vary: 'Origin' },
    headers: { 'content-type': JSON_TYPE, vary: 'Cookie' },
    body: '{}',
    sent: { vary: 'Origin, Cookie' },
    type: JSON_TYPE,
  },
  { what: 'names in capitals', headers: { Location: '/x' }, sent: { location: '/x' } },
  { what: 'no type, no body', headers: { location: '/x' }, said: LIMITS, sent: { location: '/x', ...LIMITS } },
  { what: 'several of a name', headers: { 'set-cookie': ['a=1', 'b=2'] }, sent: { 'set-cookie': ['a=1', 'b=2'] } },
]

describe.each(ROWS)('$what', ({ first = NO_HEADERS, said = NO_HEADERS, headers, body, sent, type }) => {
  const blocks = new HeaderBlocks(false)
  const sentOf = (given: Headers) => {
    const block = blocks.get(first, said, new Reply(200, body, given))
    const pairs = Array.from({ length: block.list.length / 2 }, (_, index) =>
      block.list.slice(2 * index, 2 * index + 2),
    )
    const names = pairs.map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    const lines = pairs.flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`)).join('')
    expect(block.lines).toBe(lines)
    return { sent: Object.fromEntries(pairs), type: block.type }
  }

  test('stays the same on repeated use and for equal headers', () => {
    for (const given of [headers, headers, headers, { ...headers }, { ...headers }]) {
      expect(sentOf(given)).toEqual({ sent, type })
    }
  })
})

test('one that cannot be sent is refused, however often it comes', () => {
  const blocks = new HeaderBlocks(false)
  const headers = { 'content-type': 'text/plain', 'retry-after': 'a\r\nb' }
  for (const given of [headers, headers, { ...headers }]) {
    expect(() => blocks.get(NO_HEADERS, NO_HEADERS, new Reply(429, 'no', given))).toThrow(/Invalid character/)
  }
})
