import { describe, expect, test } from 'vitest'
import { formatRevisionTag, isOlder } from './revision-tag.ts'

describe('a tag is of an older configuration than another', () => {
  test.each<[string | undefined, string | undefined, boolean]>([
    ['"76d8bb0e:14"', '"76d8bb0e:15"', true],
    ['W/"76d8bb0e:14"', '"76d8bb0e:15"', true],
    ['"76d8bb0e:9:v1"', '"76d8bb0e:15:v1"', true],
    ['"76d8bb0e:15"', '"76d8bb0e:15"', false],
    ['"76d8bb0e:16"', '"76d8bb0e:15"', false],
    ['"76d8bb0e:14"', '"aaaaaaaa:15"', false],
    ['"76d8bb0e:14:v1"', '"76d8bb0e:15:v2"', false],
    ['"76d8bb0e:14:aaaa.1111"', '"76d8bb0e:15:aaaa.2222"', true],
    ['"76d8bb0e:15:aaaa.1111"', '"76d8bb0e:15:aaaa.2222"', false],
    ['"76d8bb0e:14:bbbb.1111"', '"76d8bb0e:15:aaaa.2222"', false],
    ['"76d8bb0e:14"', '"76d8bb0e:15:aaaa.2222"', false],
    ['"76d8bb0e:14:aaaa.1111"', '"76d8bb0e:15"', false],
    ['"76d8bb0e:14.5"', '"76d8bb0e:15"', true],
    ['"14"', '"15"', false],
    ['"5d-abc"', '"76d8bb0e:15"', false],
    [undefined, '"76d8bb0e:15"', false],
    ['"76d8bb0e:14"', undefined, false],
  ])('%s than %s: %s', (one, other, expected) => {
    expect(isOlder(one, other)).toBe(expected)
  })
})

describe('the tag of a server', () => {
  const state = { queryHash: '76d8bb0e', number: 15, epoch: 'aaaa', contentHash: '1111' }
  test('consists of query, number, epoch and content', () => {
    expect(formatRevisionTag(state)).toBe('"76d8bb0e:15:aaaa.1111"')
  })

  test.each([
    ['an earlier number', { number: 14, contentHash: '2222' }, true],
    ['an earlier number of another epoch', { number: 14, epoch: 'bbbb' }, false],
    ['an earlier number of another query', { number: 14, queryHash: '00000000' }, false],
    ['other content of the same number', { contentHash: '2222' }, false],
    ['a later number', { number: 16 }, false],
  ])('%s: older is %s', (_name, change, expected) => {
    expect(isOlder(formatRevisionTag({ ...state, ...change }), formatRevisionTag(state))).toBe(expected)
  })
})
