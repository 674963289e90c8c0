import { expect, test } from 'vitest'
import { isSimilar } from './typing-error.ts'

test.each([
  ['search', 'serch', true],
  ['search', 'searhc', true],
  ['suggestions', 'sugestion', true],
  ['segment', 'search', false],
])('%s and %s are similar: %s', (word, typed, isExpected) => {
  expect(isSimilar(word, typed)).toBe(isExpected)
})
