import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, COMMAND, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { until } from '../support/wait.ts'

/**
 * Runs the commands of the README in order, as written. Replaces only ports, `npm start` (because the workspace is
 * already built), the folder, and the README's placeholders `<client key>` and `<secret>`.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const BLOCKS = [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({ kind, text }))
const folder = temporaryFolder()
let started: BurgeeProcess
let replace = (text: string): string => text

/** Returns the first block of a kind that contains a text. */
function block(kind: string, holds: string): string {
  const found = BLOCKS.find((one) => one.kind === kind && one.text.includes(holds))
  if (found === undefined) throw new Error(`The README has no block of ${kind} with ${holds}`)
  return found.text
}

/** Runs a block in a shell and returns its output. Rejects on failure. */
async function play(text: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', replace(text)], { cwd: folder.path })
  return stdout
}

beforeAll(async () => {
  const first = block('sh', 'INIT_ADMIN_API_TOKENS_FILE')
  const [line = ''] = first.match(/^.*npm start$/m) ?? []
  await play(first.slice(0, first.indexOf(line)))
  const env = Object.fromEntries(
    [...line.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
  expect(line.replaceAll(/[A-Z_]+=\S+ /g, '')).toBe('npm start')
  const tokens = { INIT_ADMIN_API_TOKENS_FILE: join(folder.path, env.INIT_ADMIN_API_TOKENS_FILE ?? '') }
  const variables = { ...env, ...tokens, DATA_DIR: join(folder.path, 'data'), HTTP_PORT: '0', PROXY_PORT: '0' }
  started = runBurgee(['start'], variables, COMMAND)
  const server = await started.find(/Server {3}http:\/\/localhost:(\d+)/)
  const proxy = await started.find(/Proxy {4}http:\/\/localhost:(\d+)/)
  const key = await started.find(/authorization: (\w+)/)
  replace = (text) =>
    text
      .replaceAll('localhost:4242', `localhost:${server}`)
      .replaceAll('localhost:3000', `localhost:${proxy}`)
      .replaceAll('<client key>', key)
})
afterAll(async () => {
  started.kill('SIGTERM')
  await started.ended
  folder.remove()
})

const isOn = async () =>
  (JSON.parse(await play(block('sh', '/proxy?userId=42'))) as Reply).toggles.map(({ name }) => name)
interface Reply {
  readonly toggles: readonly { readonly name: string }[]
}

test('the first screen has no warning', () => {
  expect(`${started.output()}${started.errors()}`).not.toMatch(/warn|error/i)
})

test('the commands work in order from the top: list, switch off and on, create a flag, ask an SDK', {
  timeout: 60_000,
}, async () => {
  await until(async () => (await isOn()).includes('new-checkout'))
  const [off = '', on = ''] = block('sh', '/environments/development/off').split(/^# \.\.\. and on again\n/m)
  await play(off)
  await until(async () => !(await isOn()).includes('new-checkout'))
  await play(on)
  await until(async () => (await isOn()).includes('new-checkout'))

  const replies = (await play(block('sh', 'post /environments'))).trim().split('\n')
  const secret = (JSON.parse(replies.at(-1) ?? '') as { secret: string }).secret
  expect(secret).toMatch(/^default:staging\./)

  // below the workspace, so that imports find the installed SDK
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const app = mkdtempSync(join(ROOT, '.cache', 'readme-'))
  try {
    writeFileSync(join(app, 'app.mjs'), replace(block('js', 'startUnleash')).replace('<secret>', secret))
    // in a test environment, the SDK's timers keep the process alive
    const env = { ...process.env, NODE_ENV: '' }
    const { stdout } = await promisify(execFile)(process.execPath, [join(app, 'app.mjs')], { env })
    const [, said = ''] = /prints `(.*)`: half of the users/.exec(README.replaceAll('`, `', ', ')) ?? []
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[1])
        .join(', '),
    ).toBe(said)
  } finally {
    rmSync(app, { recursive: true, force: true })
  }
})

test('every command of the table exists', async () => {
  const named = [...README.matchAll(/^\| `burgee ([a-z-]+)/gm)].map(([, name = '']) => name)
  const help = runBurgee(['--help'])
  await help.ended
  const offered = [...help.output().matchAll(/^ {2}burgee ([a-z-]+)/gm)].map(([, name = '']) => name)
  expect(named.sort()).toEqual(offered.sort())
})

test('the proxy before an existing upstream starts as written', async () => {
  const [line = ''] = block('sh', 'FLAG_PROXY_CLIENT_KEYS').match(/^FLAG_URL.*$/m) ?? []
  const pairs = [...line.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  expect(line.replaceAll(/[A-Z_]+=\S+ /g, '')).toBe('npx burgee proxy')
  const proxy = runBurgee(['proxy'], {
    ...Object.fromEntries(pairs),
    FLAG_URL: 'http://127.0.0.1:9/api',
    PROXY_PORT: '0',
  })
  await proxy.find(/listening on port/)
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
})
