import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { sdkSnippet, sdkSnippets } from './sdk-snippets.ts'

/**
 * Type-checks all snippets for installed SDKs. Runs the snippets that need no page; tests/e2e/web-browser.test.ts runs
 * the others.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const ADMIN = '*:*.admin-secret'
const CLIENT = 'default:development.client-secret'
const FRONTEND = 'default:development.frontend-secret'
const NAMED = [
  'checkout.svelte',
  'javascript.ts',
  'next.tsx',
  'nextserver.ts',
  'node.ts',
  'react.tsx',
  'svelteflags.ts',
  'vue.ts',
]
const snippets = sdkSnippets()
const data = temporaryFolder()
let workspace: string
let server: BurgeeProcess
let url: string

beforeAll(async () => {
  // below the sources, so that imports find the installed SDKs
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  workspace = mkdtempSync(join(ROOT, '.cache', 'snippets-'))
  const tokens = { INIT_ADMIN_API_TOKENS: ADMIN, INIT_CLIENT_API_TOKENS: CLIENT, INIT_FRONTEND_API_TOKENS: FRONTEND }
  server = runBurgee(['server'], { DATA_DIR: data.path, HTTP_PORT: '0', HTTP_HOST: '127.0.0.1', ...tokens })
  url = `http://127.0.0.1:${await server.find(/listening on port (\d+)/)}`
  const features = `${url}/api/admin/projects/default/features`
  await callAs(ADMIN, 'POST', features, { name: 'new-checkout' })
  const strategy = { name: 'userWithId', parameters: { userIds: '42' } }
  await callAs(ADMIN, 'POST', `${features}/new-checkout/environments/development/strategies`, strategy)
  await callAs(ADMIN, 'POST', `${features}/new-checkout/environments/development/on`)
})
afterAll(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  rmSync(workspace, { recursive: true, force: true })
  data.remove()
})

test('all of them are of the types that the SDKs say', async () => {
  expect(snippets.map(({ file }) => file).sort()).toEqual(NAMED)
  for (const { file, code } of snippets) writeFileSync(join(workspace, file), code)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    jsx: 'react-jsx',
    target: 'es2024',
    types: ['node'],
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom'],
  }
  writeFileSync(join(workspace, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }))
  const said = await promisify(execFile)(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', workspace]).catch(
    (error) => error,
  )
  expect(said.stdout).toBe('')
})

test.concurrent.each(['node.ts', 'javascript.ts'])('%s prints that the flag is on for user 42', async (file) => {
  const filled = sdkSnippet(file)
    .replaceAll('http://localhost:4242', url)
    .replaceAll('<client token>', CLIENT)
    .replaceAll('<frontend token>', FRONTEND)
  // pages keep polling and services keep running, so the process must be stopped
  const ending = '\nsetTimeout(() => process.exit(), 500)\n'
  writeFileSync(join(workspace, `run-${file.replace('.ts', '.mjs')}`), filled + ending)
  const run = join(workspace, `run-${file.replace('.ts', '.mjs')}`)
  const { stdout } = await promisify(execFile)(process.execPath, [run])
  expect(stdout.trim().split(/\s+/)).toEqual(['true', 'disabled'])
})

test.concurrent('nextserver.ts prints it too, with the variables that the page names', async () => {
  // the SDK fetches only once and reports no metrics, so the process may exit after the result
  const asked = "console.log(await isOn('new-checkout', '42'), await isOn('new-checkout', '7'))\n"
  const run = join(workspace, 'run-nextserver.mts')
  writeFileSync(run, `${sdkSnippet('nextserver.ts')}\n${asked}`)
  const env = { ...process.env, UNLEASH_SERVER_API_URL: `${url}/api`, UNLEASH_SERVER_API_TOKEN: CLIENT }
  const { stdout } = await promisify(execFile)(process.execPath, [run], { env })
  expect(stdout).toBe('true false\n')
})
