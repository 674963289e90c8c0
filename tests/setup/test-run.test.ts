import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The test runner itself, with small suites in a separate folder. */
const ROOT = join(import.meta.dirname, '..', '..')
const RUNNER = join(ROOT, 'tests', 'setup', 'process-test-runner.ts')
const CONFIG = `export default {
  test: { projects: ['steady', 'lively'].map((name) => ({
    test: { name, include: ['**/' + name + '-*.test.mjs'], retry: name === 'lively' ? 1 : 0,
      runner: name === 'lively' ? ${JSON.stringify(RUNNER)} : undefined },
  })) },
}`
const suite = (body: string) => `import { expect, test } from 'vitest'\n${body}`
const PASSES = suite(`test('one', () => {})`)
const FAILS = suite(`test('one', () => { throw new Error('always') })`)
/** Suite whose first test fails once and leaves state behind, so that it fails again when retried alone. */
const ONCE = suite(`import { existsSync, writeFileSync } from 'node:fs'
const isFirst = !existsSync('seen')
writeFileSync('seen', '')
test('one', () => expect(isFirst).toBe(false))
test('two', () => expect(isFirst).toBe(false))`)
/** Suite whose only test passes at the second attempt. */
const SECOND = suite(`let tries = 0
test('one', () => expect(++tries).toBe(2))`)
const THROWS = suite(`test('one', () => void setTimeout(() => { throw new Error('outside') }))
test('two', () => new Promise((resolve) => setTimeout(resolve, 50)))`)

interface Row {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly code: number
  readonly last: string
  readonly again: readonly string[]
  /** Names of tests that the ledger counts in runs before and after this one; none by default. */
  readonly before?: readonly (readonly string[])[]
  readonly secondTries?: readonly string[]
  /** Text of the summary that states why the run failed. */
  readonly reason?: string
}

const ROWS: readonly Row[] = [
  { name: 'all pass', files: { 'lively-a': PASSES }, code: 0, last: '1 passed, 0 failed', again: [] },
  {
    name: 'one file of processes fails, and passes alone',
    files: { 'lively-a': PASSES, 'lively-b': ONCE },
    code: 0,
    last: '3 passed, 0 failed',
    again: ['lively-b'],
    secondTries: ['lively-b.test.mjs: one'],
  },
  {
    name: 'a test passes at its second try',
    files: { 'lively-a': SECOND },
    code: 0,
    last: '1 passed, 0 failed',
    again: [],
    before: [['lively-a.test.mjs: one'], []],
    secondTries: ['lively-a.test.mjs: one'],
  },
  {
    name: 'a test needs its third second try in ten runs',
    files: { 'lively-a': SECOND },
    code: 1,
    last: '1 passed, 0 failed',
    again: [],
    before: [['lively-a.test.mjs: one'], [], ['lively-a.test.mjs: one']],
    secondTries: ['lively-a.test.mjs: one'],
  },
  {
    name: 'a test of storage would pass at its second try',
    files: { 'lively-a': SECOND, 'tests/store/lively-b': SECOND },
    code: 1,
    last: '1 passed, 1 failed',
    again: [],
    secondTries: ['lively-a.test.mjs: one'],
  },
  {
    name: 'a file of chaos tests would pass alone',
    files: { 'tests/chaos/lively-a': ONCE },
    code: 1,
    last: '0 passed, 2 failed',
    again: [],
  },
  {
    name: 'one file fails always',
    files: { 'lively-a': PASSES, 'lively-b': FAILS },
    code: 1,
    last: '1 passed, 1 failed',
    again: ['lively-b'],
    reason: 'Failed tests:\n  lively-b.test.mjs: one\n',
  },
  {
    name: 'a file fails that depends on nothing',
    files: { 'lively-a': PASSES, 'steady-a': ONCE },
    code: 1,
    last: '1 passed, 2 failed',
    again: [],
  },
  {
    name: 'four files fail',
    files: { 'lively-a': FAILS, 'lively-b': FAILS, 'lively-c': FAILS, 'lively-d': ONCE },
    code: 1,
    last: '0 passed, 5 failed',
    again: [],
  },
  {
    name: 'thrown outside of tests',
    files: { 'lively-a': THROWS },
    code: 1,
    last: '2 passed, 0 failed',
    again: [],
    reason: 'Thrown outside of tests:\n  outside\n',
  },
  {
    name: 'a file cannot be loaded',
    files: { 'steady-a': "import './missing.mjs'" },
    code: 1,
    last: '0 passed, 0 failed',
    again: [],
    reason: 'Failed tests:\n  steady-a.test.mjs: the file itself\n',
  },
]

test.each(ROWS)('$name', async ({ files, code, last, again, before = [], secondTries = [], reason = '' }) => {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-test-run-'))
  try {
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'vitest.config.mjs'), CONFIG)
    const ledger = join(folder, '.cache', 'second-tries.json')
    for (const name of ['.cache', 'tests/store', 'tests/chaos']) mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(ledger, JSON.stringify(before))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.mjs`), text)
    const ran = await runSuite(folder)
    expect(ran.code, ran.output).toBe(code)
    expect(ran.output.trimEnd().split('\n').at(-1)).toBe(last)
    expect(ran.output).toContain(reason)
    const tried = [...ran.output.matchAll(/^Once more, alone: (.+)\.test\.mjs$/gm)].map(([, name]) => name)
    expect(tried).toEqual(again)
    expect(ran.output.includes('Passed only when the whole file ran again')).toBe(code === 0 && again.length > 0)
    expect(JSON.parse(readFileSync(ledger, 'utf8'))).toEqual([...before, secondTries])
    for (const name of secondTries) expect(ran.output).toContain(`× ${name} (now)`)
    const report = JSON.parse(readFileSync(join(folder, '.cache', 'test-report.json'), 'utf8')) as {
      numFailedTests: number
    }
    expect(`${report.numFailedTests} failed`).toBe(last.split(', ')[1])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function runSuite(folder: string): Promise<{ code: number; output: string }> {
  // removes variables that the outer runner sets for its processes
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV)/.test(name)))
  const options = { cwd: folder, env: { ...env, TMPDIR: tmpdir(), NO_COLOR: '1' } }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join('scripts', 'test.mjs'), '--all'], options)
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: `${stderr}\n${stdout}` }
  }
}
