import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, COMMAND, runBurgee, temporaryFolder } from '../support/burgee.ts'

/**
 * Runs the numbered steps of `docs/guarded-releases.md` in one shell, as written. Replaces only the command that starts
 * the server, the server's port, and the installation of the SDK.
 */
const PAGE = readFileSync(join(dirname(dirname(import.meta.dirname)), 'docs', 'guarded-releases.md'), 'utf8')
const STEPS = PAGE.slice(PAGE.indexOf('\n## 1. '), PAGE.indexOf('\n## When a safeguard trips'))
const [start = '', ...blocks] = [...STEPS.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
const [ADMIN, CLIENT] = [`*:*.${'a'.repeat(56)}`, `*:development.${'b'.repeat(56)}`]
const folder = temporaryFolder()
let server: BurgeeProcess
let url = ''

beforeAll(async () => {
  const variables = [...start.matchAll(/(\w+)=\$(\w+)/g)].map(([, name = '', token]) => [
    name,
    token === 'ADMIN' ? ADMIN : CLIENT,
  ])
  expect(start).toMatch(/ npx burgee start &\n$/)
  const ports = { HTTP_PORT: '0', PROXY_PORT: '0', DATA_DIR: join(folder.path, 'data') }
  server = runBurgee(['start'], { ...Object.fromEntries(variables), ...ports }, COMMAND)
  url = `http://localhost:${await server.find(/Server {3}http:\/\/localhost:(\d+)/)}`
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  folder.remove()
})

test('every command of the steps succeeds beside the demo flags, and the safeguard waits for its metric', async () => {
  const script = blocks
    .join('\n')
    .replace('http://localhost:4242', url)
    .replace(/^npm install .*$/m, '')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, ADMIN, CLIENT },
  })
  const replies = stdout
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line))
  expect(replies.filter((reply) => Object.hasOwn(reply as object, 'details'))).toEqual([])
  const isWaiting = [{ featureName: 'faster-search', status: 'waiting', trip: null }]
  expect(replies.find((reply) => Array.isArray(reply))).toMatchObject(isWaiting)
  expect(replies.length).toBe(STEPS.match(/^call /gm)?.length)
})
