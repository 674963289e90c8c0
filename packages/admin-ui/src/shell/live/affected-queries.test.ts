import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { EVENTS } from '@burgee/protocol/event'
import { describe, expect, test } from 'vitest'
import { EVENT_PREFIXES, isAffected } from './affected-queries.ts'

const SOURCE = fileURLToPath(new URL('../../', import.meta.url))
const news = (type: string, featureName: string | null = null) => ({
  id: 1,
  type,
  project: 'default',
  environment: null,
  featureName,
})

describe('queries that are refetched', () => {
  test.each([
    ['the list, after a switch', ['flags', 'default', {}, 0], news('feature-environment-enabled', 'a'), true],
    ['the page of the flag', ['flag', 'default', 'a'], news('feature-strategy-update', 'a'), true],
    ['the page of another flag', ['flag', 'default', 'b'], news('feature-strategy-update', 'a'), false],
    ['which parents another flag can have', ['flag', 'default', 'b', 'parents'], news('feature-archived', 'a'), true],
    ['a flag, after a segment', ['flag', 'default', 'b'], news('segment-updated'), true],
    ['the list, which names segments, after a segment', ['flags', 'default', {}, 0], news('segment-updated'), true],
    ['the history of the flag', ['events', 'flag', 'a', 30], news('feature-tagged', 'a'), true],
    ['the history of another flag', ['events', 'flag', 'b', 30], news('feature-tagged', 'a'), false],
    ['what is new in the log, after anything', ['news', {}, 7], news('setting-updated'), true],
    ['what the log shows already', ['events', 'log', {}], news('setting-updated'), false],
    ['the list of flags, after a token', ['flags', 'default', {}, 0], news('api-token-created'), false],
    ['tokens, after a token', ['tokens'], news('api-token-created'), true],
    ['who I am, after a role', ['me'], news('project-access-user-roles-updated'), true],
    ['an edit in progress', ['opened', 'a'], news('feature-strategy-update', 'a'), false],
    ['segments, after an import', ['segments'], news('instance-imported'), true],
    ['counts of usage, after an import', ['usage', 'a', 24], news('instance-imported'), false],
    ['counts of usage', ['usage', 'a', 24], news('feature-environment-enabled', 'a'), false],
    ['comments on the flag, after one', ['comments', 'default', 'a'], news('feature-comment-added', 'a'), true],
    ['comments on another flag', ['comments', 'default', 'b'], news('feature-comment-added', 'a'), false],
    ['the flag itself, after a comment', ['flag', 'default', 'a'], news('feature-comment-edited', 'a'), false],
    ['the list of flags, after a comment', ['flags', 'default', {}, 0], news('feature-comment-deleted', 'a'), false],
    ['its history, after a comment', ['events', 'flag', 'a', 30], news('feature-comment-deleted', 'a'), true],
    ['an unknown key', ['new'], news('feature-created', 'a'), false],
  ])('%s', (_what, key, event, isNew) => {
    expect(isAffected(key, [event])).toBe(isNew)
  })

  test('every query declares what it depends on', () => {
    const keys = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => [...readFileSync(`${SOURCE}${path}`, 'utf8').matchAll(/queryKey: \[\s*'([\w-]+)'/g)])
      .map(([, key]) => key ?? '')
    expect(keys.length).toBeGreaterThan(30)
    expect([...new Set(keys)].sort()).toEqual(Object.keys(EVENT_PREFIXES).sort())
  })

  test('every beginning is one of an event', () => {
    const types = Object.keys(EVENTS)
    const unknown = Object.values(EVENT_PREFIXES)
      .flat()
      .filter((beginning) => !types.some((type) => type.startsWith(beginning)))
    expect(unknown).toEqual([])
  })
})
