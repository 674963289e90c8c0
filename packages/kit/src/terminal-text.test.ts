import { expect, test } from 'vitest'
import { escapeControls, escapeNames } from './terminal-text.ts'

test.each([
  ['plain text, other scripts and emoji', 'größe 東京 🍺 a\tb\nc', 'größe 東京 🍺 a\tb\nc'],
  ['a window title', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['a cleared screen', '\u001b[2J', '\\u001b[2J'],
  ['eight-bit controls', '\u009b2J', '\\u009b2J'],
  ['a returned carriage and backspaces', 'bad\r\b\u007fgood', 'bad\\u000d\\u0008\\u007fgood'],
  ['text in another direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
])('%s', (_name, text, escaped) => {
  expect(escapeControls(text)).toBe(escaped)
})

test('JSON stays the same JSON', () => {
  const value = { name: 'a\u009b\u202e\u007f\u001b' }
  const text = escapeControls(JSON.stringify(value))
  expect(text).not.toMatch(/[\u007f-\u009f\u202e]/)
  expect(JSON.parse(text)).toEqual(value)
})

test('names are escaped wherever data has them, and stay on one line', () => {
  const data = { 'a\u001b': ['b\nc: equal', { d: 1, e: null, f: undefined, g: Number.NaN }] }
  expect(escapeNames(data)).toEqual({
    'a\\u001b': ['b\\u000ac: equal', { d: 1, e: null, f: undefined, g: Number.NaN }],
  })
})
