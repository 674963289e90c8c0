import { describe, expect, test } from 'vitest'
import { isOlder } from './revision.ts'

describe('a tag is of an older configuration than another', () => {
  test.each<[string | undefined, string | undefined, boolean]>([
    ['"76d8bb0e:14"', '"76d8bb0e:15"', true],
    ['W/"76d8bb0e:14"', '"76d8bb0e:15"', true],
    ['"76d8bb0e:9:v1"', '"76d8bb0e:15:v1"', true],
    ['"76d8bb0e:15"', '"76d8bb0e:15"', false],
    ['"76d8bb0e:16"', '"76d8bb0e:15"', false],
    ['"76d8bb0e:14"', '"aaaaaaaa:15"', false],
    ['"76d8bb0e:14:v1"', '"76d8bb0e:15:v2"', false],
    ['"14"', '"15"', false],
    ['"5d-abc"', '"76d8bb0e:15"', false],
    [undefined, '"76d8bb0e:15"', false],
    ['"76d8bb0e:14"', undefined, false],
  ])('%s than %s: %s', (one, other, expected) => {
    expect(isOlder(one, other)).toBe(expected)
  })
})
