import { describe, expect, test } from 'vitest'
import { compareSemver, parseSemver } from './semver.ts'

describe('parseSemver', () => {
  test.each([
    '0.0.0',
    '1.2.3',
    ' 1.2.3 ',
    'v1.2.3',
    ' v1.2.3',
    '1.2.3-alpha',
    '1.2.3-0',
    '1.2.3--',
    '1.2.3-a.b-c.1+build.007',
    `1.2.3-${'a'.repeat(250)}`,
    '9007199254740991.0.0',
  ])('accepts %j', (text) => {
    expect(parseSemver(text)).toBeDefined()
  })

  test.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    '01.2.3',
    '1.2.3-01',
    '1.2.3-',
    '1.2.3-a..b',
    '1.2.3+',
    'V1.2.3',
    '=1.2.3',
    'v 1.2.3',
    'vv1.2.3',
    '1.2.x',
    '9007199254740992.0.0',
    `1.2.3-${'a'.repeat(251)}`,
    `1.2.3${' '.repeat(252)}`,
  ])('refuses %j', (text) => {
    expect(parseSemver(text)).toBeUndefined()
  })
})

describe('compareSemver', () => {
  /** Ascending versions from semver.org §11, and some more. */
  const ascending = [
    '0.9.10',
    '1.0.0-1',
    '1.0.0-9',
    '1.0.0-10',
    '1.0.0-A',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.9.0',
    '1.10.0',
    '2.0.0',
  ]
  const compare = (a: string, b: string) => {
    const [one, other] = [parseSemver(a), parseSemver(b)]
    return one && other ? Math.sign(compareSemver(one, other)) : Number.NaN
  }

  test('orders every pair', () => {
    for (const [i, a] of ascending.entries())
      for (const [j, b] of ascending.entries()) expect(compare(a, b), `${a} to ${b}`).toBe(Math.sign(i - j))
  })

  test('build metadata does not count', () => {
    expect(compare('1.0.0+a', '1.0.0+b')).toBe(0)
    expect(compare('1.0.0-rc.1+a', '1.0.0-rc.1')).toBe(0)
  })
})
