import { describe, expect, test } from 'vitest'
import { EventReader, type ParsedEvent } from './event-reader.ts'

const event = (data: string, more: Partial<ParsedEvent> = {}): ParsedEvent => ({ event: '', id: '', data, ...more })

const ROWS: readonly (readonly [name: string, text: string, events: ParsedEvent[]])[] = [
  ['one', 'data: a\n\n', [event('a')]],
  ['all fields', 'id: 7\nevent: e\ndata: a\n\n', [event('a', { id: '7', event: 'e' })]],
  ['several', 'data: a\n\ndata: b\n\n', [event('a'), event('b')]],
  [
    'an id stays, a name does not',
    'id: 1\nevent: e\ndata: a\n\ndata: b\n\n',
    [event('a', { id: '1', event: 'e' }), event('b', { id: '1' })],
  ],
  ['lines of data', 'data: a\ndata\ndata:  b\n\n', [event('a\n\n b')]],
  ['without a space', 'data:a\n\n', [event('a')]],
  ['a colon within', 'data: {"a":1}\n\n', [event('{"a":1}')]],
  ['comments', ': keep-alive\n\n:\ndata: a\n: c\n\n', [event('a')]],
  ['other fields', 'retry: 1\nfoo: bar\nfoo\ndata: a\n\n', [event('a')]],
  ['nothing but a name', 'event: e\n\ndata: a\n\n', [event('a')]],
  ['an id with NUL', 'id: a\0\ndata: a\n\n', [event('a')]],
  ['CRLF', 'data: a\r\ndata: b\r\n\r\n', [event('a\nb')]],
  ['CR', 'data: a\r\rdata: b\r\r', [event('a'), event('b')]],
  ['a byte order mark', '\ufeffdata: a\n\n', [event('a')]],
  ['bytes of a character apart', 'data: ü€😀\n\n', [event('ü€😀')]],
  ['the end is missing', 'data: a\n\ndata: b\n', [event('a')]],
]

describe.each([1, 2, 3, 1000])('pieces of %i bytes', (size) => {
  test.each(ROWS)('%s', (_name, text, events) => {
    const bytes = Buffer.from(text)
    const reader = new EventReader(1000)
    const read: ParsedEvent[] = []
    for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)))
    expect(read).toEqual(events)
  })
})

describe('an event holds no more than the bound', () => {
  const read = (most: number, ...pieces: string[]) => {
    const reader = new EventReader(most)
    return pieces.flatMap((piece) => reader.read(Buffer.from(piece)))
  }
  test.each<[string, number, string[], RegExp | number]>([
    ['a line', 10, ['data: 1234567\n'], /larger than 10/],
    ['a line that does not end', 10, ['data: 1', '234567'], /larger than 10/],
    ['lines', 20, ['data: 123\ndata: 456\n', 'data: 7'], /larger than 20/],
    ['what fits', 20, ['data: 123\n\n', 'data: 456\n\n'], 2],
    ['comments do not count', 20, [...Array.from({ length: 9 }, () => ': 123456\n'), 'data: 1\n\n'], 1],
  ])('%s', (_name, most, pieces, expected) => {
    if (typeof expected === 'number') expect(read(most, ...pieces)).toHaveLength(expected)
    else expect(() => read(most, ...pieces)).toThrow(expected)
  })
})
