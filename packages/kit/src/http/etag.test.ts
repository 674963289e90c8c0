import { expect, test } from 'vitest'
import { computeWeakEtag, matchesEtag } from './etag.ts'

test.each([
  ['', 'W/"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"'],
  ['ok', 'W/"2-eoX0dku9ba8cNUXvu/DyeabcC+s"'],
])('tag of %j is %s', (body, tag) => {
  expect(computeWeakEtag(body)).toBe(tag)
})

test('text counts in bytes of UTF-8', () => {
  expect(computeWeakEtag('é')).toMatch(/^W\/"2-/)
  expect(computeWeakEtag('é')).toBe(computeWeakEtag(Buffer.from('é')))
})

test('other bodies have other tags', () => {
  expect(computeWeakEtag('a')).not.toBe(computeWeakEtag('b'))
})

test.each<[string | undefined, string, boolean]>([
  [undefined, 'W/"a"', false],
  ['', 'W/"a"', false],
  ['W/"a"', 'W/"a"', true],
  ['"a"', 'W/"a"', true],
  ['W/"a"', '"a"', true],
  [' "x" ,W/"a" ', 'W/"a"', true],
  ['*', 'W/"a"', true],
  [' * ', 'W/"a"', true],
  ['"*"', 'W/"a"', false],
  ['a', 'W/"a"', false],
  ['"A"', 'W/"a"', false],
  ['"x", "y"', 'W/"a"', false],
])('If-None-Match %j matches %s: %j', (header, etag, expected) => {
  expect(matchesEtag(header, etag)).toBe(expected)
})
