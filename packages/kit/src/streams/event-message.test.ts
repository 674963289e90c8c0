import { expect, test } from 'vitest'
import { createCommentMessage, createEventMessage, type EventParts } from './event-message.ts'

test.each<[string, EventParts, string]>([
  ['data alone', { data: '{"a":1}' }, 'data: {"a":1}\n\n'],
  ['all parts', { id: '7', event: 'changed', data: 'x' }, 'id: 7\nevent: changed\ndata: x\n\n'],
  ['lines', { data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
  ['nothing', { data: '' }, 'data: \n\n'],
  ['more bytes than characters', { data: 'ü€😀' }, 'data: ü€😀\n\n'],
])('an event: %s', (_name, parts, text) => {
  const { plain, chunk } = createEventMessage(parts)
  expect(plain.toString()).toBe(text)
  expect(chunk.toString()).toBe(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
  expect(plain.buffer).toBe(chunk.buffer)
})

test.each<[string, () => unknown]>([
  ['a name of two lines', () => createEventMessage({ event: 'a\ndata: b', data: '' })],
  ['an id of two lines', () => createEventMessage({ id: 'a\rb', data: '' })],
  ['an id that clients leave out', () => createEventMessage({ id: 'a\0', data: '' })],
  ['a comment of two lines', () => createCommentMessage('a\n\ndata: b')],
])('refuses %s', (_name, make) => {
  expect(make).toThrow(TypeError)
})

test('a comment', () => {
  expect(createCommentMessage('keep-alive').plain.toString()).toBe(': keep-alive\n\n')
})
