import { describe, expect, test } from 'vitest'
import { filterEntries, rankName } from './ranking.ts'

const entry = (label: string, keywords?: string) => ({
  id: label,
  label,
  run: () => undefined,
  ...(keywords === undefined ? {} : { keywords }),
})
const ALL = [
  entry('Single sign-on', 'sso oidc openid'),
  entry('Roles', 'permissions rights'),
  entry('search-suggestions'),
  entry('search-semantic'),
  entry('Staging'),
]

describe('entries are found', () => {
  test.each([
    ['by a word of the label', 'roles', ['Roles']],
    ['by a synonym', 'sso', ['Single sign-on']],
    ['by several words in any order', 'semantic search', ['search-semantic']],
    ['with a missing letter', 'serch', ['search-suggestions', 'search-semantic']],
    ['with swapped letters', 'saerch', ['search-suggestions', 'search-semantic']],
    ['with a wrong letter', 'rolez', ['Roles']],
    ['with a missing letter beside a correct word', 'serch semantic', ['search-semantic']],
    ['not by short words with an error', 'ssp', []],
    ['not by two errors', 'sxrxh', []],
  ])('%s', (_name, text, labels) => {
    expect(filterEntries(ALL, text).map(({ label }) => label)).toEqual(labels)
  })
})

test('an equal name ranks before one that starts with it', () => {
  expect([rankName('a', 'a'), rankName('ab', 'a'), rankName('b-a', 'a'), rankName('c', 'a')]).toEqual([0, 1, 2, 3])
})
