import { describe, expect, test } from 'vitest'
import { covers, selectFetchingTokens, subsumes } from './fetch-scopes.ts'

/** Parses `environment:project,project`. */
const scope = (text: string) => {
  const [environment = '', projects = ''] = text.split(':')
  return { environment, projects: projects.split(',').filter((project) => project !== '') }
}

describe('one token makes another superfluous', () => {
  test.each([
    ['dev:*', 'dev:a', true],
    ['dev:*', 'dev:*', true],
    ['dev:*', 'dev:a,b', true],
    ['dev:a,b', 'dev:b', true],
    ['dev:a,b', 'dev:b,a', true],
    ['dev:a', 'dev:a,b', false],
    ['dev:a', 'dev:*', false],
    ['dev:a', 'dev:b', false],
    ['dev:*', 'prod:a', false],
    ['dev:', 'dev:a', false],
  ])('%s and %s: %s', (one, other, does) => {
    expect(subsumes(scope(one), scope(other))).toBe(does)
  })
})

describe('fetching tokens', () => {
  test.each([
    ['', ''],
    ['dev:a', 'dev:a'],
    ['dev:a dev:a', 'dev:a'],
    ['dev:a dev:*', 'dev:*'],
    ['dev:* dev:a dev:b', 'dev:*'],
    ['dev:a,b dev:b,a', 'dev:a,b'],
    ['dev:a dev:b', 'dev:a dev:b'],
    ['dev:a,b dev:b,c', 'dev:a,b dev:b,c'],
    ['dev:a prod:* dev:a,b prod:a', 'prod:* dev:a,b'],
  ])('the tokens "%s" reduce to "%s"', (all, some) => {
    const tokens = all.split(' ').filter((text) => text !== '')
    const named = tokens.map((text) => ({ text, ...scope(text) }))
    expect(
      selectFetchingTokens(named)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(some)
  })
})

describe('tokens at the start cover what an SDK shows', () => {
  test.each([
    ['dev:*', 'dev:a', true],
    ['dev:a', 'dev:a', true],
    ['dev:a dev:b', 'dev:a,b', true],
    ['dev:a prod:b', 'dev:a,b', false],
    ['dev:a dev:b', 'dev:*', false],
    ['prod:*', 'dev:a', false],
    ['', 'dev:a', false],
    ['', 'dev:', false],
  ])('%s, %s: %s', (tokens, asked, is) => {
    const held = tokens.split(' ').filter((text) => text !== '')
    expect(covers(held.map(scope), scope(asked))).toBe(is)
  })
})
