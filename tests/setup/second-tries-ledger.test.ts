import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteSecondTries } from '../../scripts/second-tries-ledger.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'burgee-ledger-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const QUIET = Array.from({ length: 7 }, () => [])

test.each([
  ['nothing happened', [], [], false],
  ['the first second try of a test', [], ['a'], false],
  ['the second one', [['a']], ['a'], false],
  ['the third one in a row', [['a'], ['a']], ['a'], true],
  ['the third one in ten runs', [['a'], ...QUIET, ['a']], ['a'], true],
  ['the third one in eleven runs', [['a'], [], ...QUIET, ['a']], ['a'], false],
  ['three tests once each', [['a'], ['b']], ['c'], false],
  ['an unstable test that passed this time', [['a'], ['a'], ['a']], [], false],
  ['the same test twice in one run', [['a']], ['a', 'a'], false],
])('a run fails at the third second try of one test in ten runs: %s', (_name, before, now, isTooMany) => {
  const path = join(folder, 'ledger.json')
  writeFileSync(path, JSON.stringify(before))
  expect(noteSecondTries(path, now).isTooMany).toBe(isTooMany)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([...before, [...new Set(now)]].slice(-10))
})

test('a run prints the counts of all remembered runs', () => {
  const path = join(folder, 'new', 'ledger.json')
  noteSecondTries(path, ['b', 'a'])
  expect(noteSecondTries(path, ['b']).lines).toEqual([
    `Second tries in the last 2 runs (${path}):`,
    '  1 × a',
    '  2 × b (now)',
  ])
})

test.each(['', '{', '{}', '[1]'])('a damaged ledger is replaced: %s', (text) => {
  const path = join(folder, 'ledger.json')
  writeFileSync(path, text)
  expect(noteSecondTries(path, ['a'])).toEqual({
    lines: [`Second tries in the last 1 runs (${path}):`, '  1 × a (now)'],
    isTooMany: false,
  })
})
