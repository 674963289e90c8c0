import { runSync } from '@burgee/kit/slices'
import { expect, test } from 'vitest'
import { AnswerContents } from './answer-content.ts'

const MB = 1024 * 1024
const of = (pieces: readonly string[]) => runSync(new AnswerContents().join(pieces)).bytes().toString()

test.each([
  ['nothing', []],
  ['a short one', ['a', 'b']],
  ['one to the last byte of a part', ['x'.repeat(MB - 1), 'y']],
  ['one byte more', ['x'.repeat(MB - 1), 'yz']],
  ['characters of several bytes at the end of a part', ['x'.repeat(MB - 2), 'ß€', '😀'.repeat(10)]],
  ['a piece that is longer than a part', ['a', '€'.repeat(MB), 'b']],
  ['many parts', Array.from({ length: 500 }, (_none, index) => `${index}`.repeat(5000))],
])('an answer of pieces is all of them, in their order: %s', (_name, pieces) => {
  expect(of(pieces)).toBe(pieces.join(''))
})

test('the memory of large and of failed answers serves later ones', () => {
  const contents = new AnswerContents()
  const join = (pieces: Iterable<string>) => runSync(contents.join(pieces))
  const large = join(Array.from({ length: 10 }, () => 'x'.repeat(MB)))
  function* failing() {
    yield 'y'.repeat(MB)
    yield 'y'
    throw new Error('fails')
  }
  expect(() => join(failing())).toThrow('fails')
  const memories = () => Array.from({ length: 4 }, () => join(['z']).lend?.().bytes.buffer)
  const lent = memories()
  expect(new Set(lent).size).toBe(4)
  expect(large.bytes().toString()).toBe('x'.repeat(10 * MB))
})
