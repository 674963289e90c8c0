import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type FakeServer, startFakeServer } from '@burgee/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findUnreachable } from '../sdks/toolchains.ts'
import { whereIs } from '../setup/debian.ts'
import { temporaryFolder } from '../support/burgee.ts'

/** The examples for other languages, unchanged, with the tools of these languages. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const EXAMPLES = join(ROOT, 'examples', 'testing')
/** Downloads of Maven, which remain after a run. */
const MAVEN = join(ROOT, '.cache', 'junit')
const LIMIT_MS = 300_000
const folder = temporaryFolder()
let server: FakeServer

beforeAll(async () => {
  server = await startFakeServer({
    flags: { 'new-checkout': false, 'button-color': { enabled: false, variants: ['blue', 'red'] } },
  })
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

interface Tool {
  readonly name: string
  readonly programs: readonly string[]
  readonly command: readonly string[]
  /** Text of a successful run. */
  readonly passed: string
  /** Output of a tool that lacks a part, such as a module that is not installed. */
  readonly missing?: RegExp
}

const TOOLS: readonly Tool[] = [
  {
    name: 'pytest',
    programs: ['python3'],
    command: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    passed: '2 passed',
    missing: /No module named pytest/,
  },
  { name: 'go', programs: ['go'], command: ['go', 'test', '-count=1', './...'], passed: 'ok' },
  {
    name: 'junit',
    programs: ['java', 'javac', 'mvn'],
    command: ['mvn', '-B', `-Dmaven.repo.local=${MAVEN}`, 'test'],
    passed: 'Tests run: 2, Failures: 0, Errors: 0, Skipped: 0',
  },
]

test.each(TOOLS)('$name', { timeout: LIMIT_MS }, async ({ name, programs, command, passed, missing }) => {
  const absent = programs.filter((program) => whereIs(program) === undefined)
  if (absent.length > 0) return void process.stdout.write(`${name} skipped: ${absent.join(', ')} not found\n`)
  const cwd = join(folder.path, name)
  cpSync(join(EXAMPLES, name), cwd, { recursive: true })
  const env = { ...process.env, BURGEE_URL: server.url, BURGEE_ADMIN_TOKEN: server.adminToken }
  const [program = '', ...args] = command
  const run = promisify(execFile)(program, args, { cwd, env, timeout: LIMIT_MS, maxBuffer: 16 << 20 })
  const {
    stdout,
    stderr,
    code = 0,
  } = await run.then(
    (output) => ({ ...output, code: 0 }),
    (error: { stdout: string; stderr: string; code?: number }) => error,
  )
  const output = `${stdout}\n${stderr}`
  const reason = code === 0 ? undefined : (findUnreachable(output) ?? missing?.exec(output)?.[0])
  if (reason !== undefined) return void process.stdout.write(`${name} skipped: ${reason}\n`)
  expect(output).toContain(passed)
  expect(code, output).toBe(0)
  const runs = await fetch(`${server.url}/api/admin/projects/default/test-runs`, {
    headers: { authorization: server.adminToken },
  })
  expect(await runs.json()).toEqual({ testRuns: [] })
})
