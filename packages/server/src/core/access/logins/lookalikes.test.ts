import { describe, expect, test } from 'vitest'
import { findNameProblem, findStrangerNameProblem, toSkeleton } from './lookalikes.ts'

describe('names that look alike have one skeleton', () => {
  test.each([
    ['Cyrillic letters', 'аdmin', 'admin'],
    ['Cyrillic capitals', 'АНН', 'AHH'],
    ['Greek capitals', 'ΑΝΝΑ', 'anna'],
    ['a Greek letter', 'bοb', 'bob'],
    ['an Armenian letter', 'bօb', 'bob'],
    ['a dotless i', 'ısadmin', 'isadmin'],
    ['a stroke', 'Łukasz', 'lukasz'],
    ['accents', 'josé', 'jose'],
    ['a combining dot', 'a\u0323dmin', 'admin'],
    ['full-width letters', 'ａｄｍｉｎ', 'admin'],
    ['mathematical letters', '𝐚𝐝𝐦𝐢𝐧', 'admin'],
    ['digits for letters', 'r00t', 'root'],
    ['one and capital i', 'A1ice Il', 'alice ll'],
    ['two letters like one', 'adrnin', 'admin'],
    ['punctuation at the ends', 'admin.', 'admin'],
    ['an invisible character', 'ad\u00admin', 'admin'],
    ['several spaces', 'a  b', 'a b'],
  ])('%s', (_name, one, other) => {
    expect(toSkeleton(one)).toBe(toSkeleton(other))
  })

  test.each([
    ['admin', 'admin2'],
    ['anna', 'hanna'],
    ['山田', '山口'],
    ['ivan@example.com', 'ivan@example.org'],
  ])('%s and %s differ', (one, other) => {
    expect(toSkeleton(one)).not.toBe(toSkeleton(other))
  })
})

describe('a name is rejected if it', () => {
  test.each([
    ['Latin and Cyrillic', 'аdmin', /Latin, Cyrillic/],
    ['Latin and Greek', 'bοb', /Latin, Greek/],
    ['a zero-width space', 'admin\u200b', /invisible/],
    ['a change of direction', 'admin\u202e', /invisible/],
  ])('contains %s, for all choosers', (_name, name, problem) => {
    expect(findNameProblem(name)).toMatch(problem)
    expect(findStrangerNameProblem(name)).toMatch(problem)
  })

  test.each([
    ['small capitals', 'ᴀᴅᴍɪɴ'],
    ['a click letter', 'a\u01c0'],
    ['Cherokee', 'ᎪᎠ'],
    ['Lisu', 'ꓮꓓ'],
    ['a symbol', 'admin★'],
    ['digits of another alphabet', 'علي٤'],
    ['a slash that is none', 'a∕b'],
  ])('contains %s and comes from a stranger', (_name, name) => {
    expect([findNameProblem(name), findStrangerNameProblem(name)]).toEqual([
      undefined,
      expect.stringMatching(/letters/),
    ])
  })

  test.each([
    'ismail',
    'İsmail',
    'Łukasz O’Neil'.replace('’', "'"),
    'анна',
    'Νίκος',
    '山田 Taro',
    'ユーザー',
    '김철수',
    'สมชาย',
    'مريم',
    'नेहा',
    'Nguyễn',
  ])('a name such as %s is accepted', (name) => {
    expect([findNameProblem(name), findStrangerNameProblem(name)]).toEqual([undefined, undefined])
  })
})
