import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { applyMutant, createRandom, drawSample, listMutants } from '../../scripts/mutants.mjs'
import { AREAS } from '../../scripts/mutation-areas.mjs'
import { EQUIVALENTS, findEquivalence } from '../../scripts/mutation-equivalents.mjs'
import { findFunction, instrument, selectTests } from '../../scripts/mutation-hits.mjs'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const ROWS: readonly (readonly [text: string, mutated: readonly string[]])[] = [
  ['f(a === b)', ['f(a !== b)', ';']],
  ['f(a && !b)', ['f(a || !b)', 'f(a && b)', ';']],
  ['f(a ?? b)', ['f(a)', ';']],
  ['const n = 7', ['const n = 8']],
  ["const s = 'x'", ["const s = ''"]],
  ["const s = ''", ["const s = 'mutant'"]],
  ['if (a) b = 1', ['if (true) b = 1', 'if (false) b = 1', 'if (a) ;', 'if (a) b = 2']],
  ['const f = () => { return g() }', ['const f = () => { return undefined }']],
  ['const c = [...a, { ...b }]', ['const c = [...[], { ...b }]', 'const c = [...a, { ...{} }]']],
  ['const c = a.filter(f).some(g)', ['const c = a.some(g)', 'const c = a.filter(f).every(g)']],
  ["import { a } from 'a'", []],
  ["type T = 'a' | 1", []],
  ["throw new TypeError('a is wrong')", []],
  ["const e = new NotFoundError('a')", []],
  ["const o = { 'a-b': c }", []],
  ["const r = { summary: 'Lists flags.', schema: { description: 'Flags' } }", []],
  [
    "const s = { description: '' + a }",
    ["const s = { description: 'mutant' + a }", "const s = { description: '' - a }"],
  ],
]

describe('listMutants', () => {
  test.each(ROWS)('changes `%s` in every supported way', (text, mutated) => {
    const found = listMutants(text).map((mutant) => applyMutant(text, mutant))
    expect(found.toSorted()).toEqual(mutated.toSorted())
  })

  test('returns the line of each mutant', () => {
    expect(listMutants('const a = 1\nconst b = 2').map(({ line }) => line)).toEqual([1, 2])
  })
})

describe('drawSample', () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  const draw = (seed: number, count = 10) => drawSample(items, count, createRandom(seed))

  test('draws the same items for the same seed, and others for another one', () => {
    expect(draw(5)).toEqual(draw(5))
    expect(draw(5)).not.toEqual(draw(6))
  })

  test('draws each item once, in order', () => {
    expect(draw(5, 1000)).toEqual(items)
    expect(draw(5)).toEqual(draw(5).toSorted((a, b) => a - b))
  })
})

test.each(Object.entries(AREAS))('the area %s has sources, and tests in every path', (_name, { sources, tests }) => {
  for (const pattern of sources) expect(globSync(pattern, { cwd: ROOT }).length, pattern).toBeGreaterThan(0)
  for (const path of tests) {
    const files = path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.test.ts`, { cwd: ROOT })
    expect(files.filter((file) => existsSync(join(ROOT, file))).length, path).toBeGreaterThan(0)
  }
})

test('every row of EQUIVALENTS names a mutant of the present sources, and a reason', () => {
  const found = [...new Set(EQUIVALENTS.map(({ file }) => file))].flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return listMutants(text).flatMap((mutant) => findEquivalence({ file, text, ...mutant }) ?? [])
  })
  const stale = EQUIVALENTS.filter((row) => !found.includes(row) || row.why === '')
  expect(stale).toEqual([])
})

describe('instrument', () => {
  const hit = (start: number) => `globalThis.burgeeHit?.("x:${start}")`
  test.each([
    ['function f(a) { return g(a) }', `function f(a) {${hit(0)}; return g(a) }`],
    ['const f = (a) => ({ a })', `const f = (a) => ((${hit(10)}, { a }))`],
    ['const f = (a) => (b) => a + b', `const f = (a) => (${hit(10)}, (b) => (${hit(17)}, a + b))`],
    ['class C { m() { return 1 } }', `class C { m() {${hit(11)}; return 1 } }`],
    ['const f = async (a) => await a', `const f = async (a) => (${hit(10)}, await a)`],
    ['const n = 7', 'const n = 7'],
  ])('records the functions of `%s`', (text, changed) => {
    expect(instrument(text, 'x')).toBe(changed)
  })
})

describe('the tests of a mutant', () => {
  const record = (file: string, ms: number, hits: string[], loaded: string[] = []) => ({
    file,
    ms,
    hits: new Set(hits),
    loaded: new Set(loaded),
  })
  const records = [record('slow', 9, ['x:10']), record('quick', 1, ['x:10']), record('other', 5, ['x:30'], ['x:40'])]
  const select = (id: string | undefined) => selectTests(records, id).map(({ file }) => file)

  test('run its function, the quickest first', () => {
    expect([select('x:10'), select('x:30'), select('x:50')]).toEqual([['quick', 'slow'], ['other'], []])
  })

  test('include all tests if its code runs while modules load', () => {
    const all = ['quick', 'other', 'slow']
    expect([select('x:40'), select(undefined)]).toEqual([all, all])
  })

  test('depend on the innermost function around it', () => {
    const text = 'const f = (a) => (b) => a + b; const n = 7'
    const find = (part: string) => {
      const start = text.indexOf(part)
      return findFunction(text, 'x', { start, end: start + part.length })
    }
    expect([find('a + b'), find('7')]).toEqual(['x:17', undefined])
  })
})

test.each([
  { args: [], code: 2, says: /npm run mutate -- engine\|access\|import\|serving\|edge/ },
  { args: ['kit'], code: 2, says: /npm run mutate/ },
  { args: ['engine', '--count', 'some'], code: 2, says: /--count N/ },
  { args: ['engine', '--file', 'no-such-file', '--seed', '7'], code: 1, says: /^engine: 0 of 0 mutants, seed 7$/m },
])('the command with $args ends with $code', ({ args, code, says }) => {
  const command = join(ROOT, 'scripts', 'mutate.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })
  expect([status, `${stdout}${stderr}`]).toEqual([code, expect.stringMatching(says)])
})
