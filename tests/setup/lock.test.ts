import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireLock } from '../../scripts/setup/lock.mjs'

const LOCK = join(import.meta.dirname, '..', '..', 'scripts', 'setup', 'lock.mjs')
const RUNS = 8
/** Records the beginning and the end of its work under the lock. */
const PROGRAM = `import { appendFileSync } from 'node:fs'
import { acquireLock } from ${JSON.stringify(LOCK)}
const release = acquireLock('lock', () => {})
appendFileSync('log', 'begin ' + process.pid + '\\n')
await new Promise((resolve) => setTimeout(resolve, 5))
appendFileSync('log', 'end ' + process.pid + '\\n')
release()`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'burgee-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const ended = () => String(spawnSync(process.execPath, ['--version']).pid)

test.each([
  ['the lock is free', undefined],
  ['a killed set-up left its lock', ended],
])('set-ups at the same time run one after the other: %s', async (_name, left) => {
  if (left !== undefined) writeFileSync(join(folder, 'lock'), left())
  const args = ['--input-type=module', '--eval', PROGRAM]
  await Promise.all(Array.from({ length: RUNS }, () => promisify(execFile)(process.execPath, args, { cwd: folder })))
  const lines = readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
  expect(lines.length).toBe(2 * RUNS)
  for (let n = 0; n < lines.length; n += 2) expect(lines[n + 1]).toBe(lines[n]?.replace('begin', 'end'))
  expect(readdirSync(folder)).toEqual(['log'])
})

test('a set-up that waits names the process with the lock', async () => {
  writeFileSync(join(folder, 'lock'), String(process.pid))
  const program = `import { acquireLock } from ${JSON.stringify(LOCK)}\nacquireLock('lock', console.log)()`
  const waiting = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder })
  await new Promise<void>((resolve) =>
    waiting.child.stdout?.once('data', () => {
      rmSync(join(folder, 'lock'))
      resolve()
    }),
  )
  const { stdout } = await waiting
  expect(stdout).toBe(`Waiting for process ${process.pid}, which sets up this folder too (lock) ...\n`)
})

test('a released lock is free', () => {
  acquireLock(join(folder, 'lock'), () => {})()
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})
