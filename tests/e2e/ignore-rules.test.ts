import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { IgnoreRules } from '../../bin/src/refs/ignore-rules.ts'
import { matchWildcards, STAR, type Step } from '../../bin/src/refs/match-wildcards.ts'
import { temporaryFolder } from '../support/burgee.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe('.gitignore', () => {
  test.each([
    ['a comment and an empty line', '# a\n\n', 'a', false],
    ['an escaped number sign', '\\#a', '#a', true],
    ['an escaped exclamation mark', '\\!a', '!a', true],
    ['spaces at the end', 'a  ', 'a', true],
    ['an escaped space at the end', 'a\\ ', 'a ', true],
    ['lines that end with a carriage return', 'a\r\nb\r\n', 'x/b', true],
    ['a folder', 'a/', 'a', false],
    ['a file in a folder', 'a/', 'a/b/c', true],
    ['a later inclusion', '*.ts\n!a.ts', 'x/a.ts', false],
    ['an inclusion in an ignored folder', 'a/\n!a/b', 'a/b', true],
    ['a path from the root', '/a', 'b/a', false],
    ['folders in between', 'a/**/b', 'a/x/y/b', true],
    ['no folder in between', 'a/**/b', 'a/b', true],
    ['the contents of a folder', 'a/**', 'a', false],
    ['a byte order mark', '\uFEFFbuild/\n', 'build/a.ts', true],
    ['a space after an escaped backslash', 'a\\\\ ', 'a\\', true],
    ['an open class', 'a[b', 'a[b', false],
  ])('%s: %j tests %j', (_name, text, path, expected) => {
    expect(new IgnoreRules(text).test(path).isIgnored).toBe(expected)
  })

  test('has the results of git for random patterns and paths', () => {
    execFileSync('git', ['init', '-q', folder.path])
    const next = createNumbers(42)
    const pick = (all: readonly string[]) => all[next(all.length)] ?? ''
    const many = (max: number, create: () => string) => Array.from({ length: 1 + next(max) }, create)
    const createPattern = () => {
      const parts = many(4, () => pick(PIECES)).join('/')
      return `${pick(['', '', '!'])}${pick(['', '', '/'])}${parts}${pick(['', '', '/'])}${pick(['', '', ' '])}`
    }
    for (let round = 0; round < 100; round += 1) {
      const text = `${many(4, createPattern).join('\n')}\n`
      const paths = [...new Set(Array.from({ length: 40 }, () => many(4, () => pick(NAMES)).join('/')))]
      writeFileSync(join(folder.path, '.gitignore'), text)
      const input = `${paths.join('\0')}\0`
      const git = spawnSync('git', ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '--stdin', '-z'], {
        cwd: folder.path,
        input,
      })
      const expected = git.stdout.toString().split('\0').filter(Boolean)
      const rules = new IgnoreRules(text)
      expect(
        paths.filter((path) => rules.test(path).isIgnored),
        text,
      ).toEqual(expected)
    }
  })
})

/**
 * Parts of patterns. Classes that contain `/` are not tested, because the matcher splits a path before it parses
 * classes.
 */
const PIECES = ['a', 'b', '*', '?', '[ab]', '[!a]', '**', '\\*', '[a-c]*', 'a*b', '.x', '[[:alpha:]]', '*.ts', '[]a]']
const NAMES = ['a', 'b', 'ab', 'aab', '.x', 'x.ts', 'c', '*', 'acb', ']', '[', 'a b']

/** Returns a function that returns pseudorandom integers below a maximum. */
function createNumbers(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % max
  }
}

test.each([
  ['stars between letters', [STAR, 'a', STAR, 'a', STAR, 'a', STAR, 'a', STAR, 'b']],
  ['stars and any characters', [STAR, '?', STAR, '?', STAR, '?', 'b']],
  ['many stars', [...Array.from({ length: 30 }, () => STAR), 'b']],
])('a hostile pattern with %s needs a number of tests that is linear in pattern and text', (_name, pattern) => {
  let count = 0
  const steps = pattern.map((step): Step<string> => {
    if (typeof step === 'symbol') return STAR
    return (character) => {
      count += 1
      return step === '?' || step === character
    }
  })
  for (const length of [50, 500, 5000]) {
    count = 0
    expect(matchWildcards(steps, 'a'.repeat(length))).toBe(false)
    expect(count).toBeLessThanOrEqual(pattern.length * length)
  }
})

test('folders with the same name and a hostile pattern of folders are tested at once', () => {
  const rules = new IgnoreRules(`${'**/a/'.repeat(20)}b\n${'*a'.repeat(100)}b`)
  expect(rules.test(`${'a/'.repeat(500)}c`).isIgnored).toBe(false)
  expect(rules.test('a'.repeat(5000)).isIgnored).toBe(false)
})
