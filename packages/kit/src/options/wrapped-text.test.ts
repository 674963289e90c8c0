import { expect, test } from 'vitest'
import { formatTwoColumns, wrapText } from './wrapped-text.ts'

test.each<[string, number, string[]]>([
  ['one two three', 20, ['one two three']],
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 3, ['one', 'two', 'three']],
  ['unbreakable', 3, ['unbreakable']],
  ['', 10, ['']],
  [' blanks   between ', 20, ['blanks between']],
])('%j in %i columns', (text, width, lines) => {
  expect(wrapText(text, width).map((line) => line.trim())).toEqual(lines)
})

test.each<[string, string[], string[]]>([
  ['--port', ['Listening port.'], ['--port    Listening', '          port.']],
  ['--a-long-name', ['A text.'], ['--a-long-name', '          A text.']],
  ['-p', ['One.', 'Two.'], ['-p        One.', '          Two.']],
])('%j beside %j', (left, right, lines) => {
  expect(formatTwoColumns(left, right, { leftWidth: 10, width: 20 })).toEqual(lines)
})
