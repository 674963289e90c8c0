import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { revokeAccessOfOthers } from './private-files.ts'

let directory: string
beforeEach(() => {
  directory = join(realpathSync(mkdtempSync(join(tmpdir(), 'burgee-modes-'))), 'data')
  mkdirSync(directory)
})
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }))

const modeOf = (name: string) => (statSync(join(directory, name)).mode & 0o7777).toString(8)

test.each([
  ['closed already', '700', { 'burgee.sqlite': '600' }, '700', { 'burgee.sqlite': '600' }, []],
  ['empty and open', '755', {}, '750', {}, ['removed']],
  ['what the group may stays', '2770', { 'burgee.sqlite': '660' }, '2770', { 'burgee.sqlite': '660' }, []],
  [
    'files of ours',
    '755',
    { 'burgee.sqlite': '644', 'burgee.sqlite-wal': '644', 'burgee.sqlite-shm': '666', 'client-key': '604' },
    '750',
    { 'burgee.sqlite': '640', 'burgee.sqlite-wal': '640', 'burgee.sqlite-shm': '660', 'client-key': '600' },
    ['removed', 'removed', 'removed', 'removed', 'removed'],
  ],
  [
    'files of others stay, and so does their directory',
    '755',
    { 'burgee.sqlite': '644', 'other.txt': '644' },
    '755',
    { 'burgee.sqlite': '640', 'other.txt': '644' },
    ['removed', 'still'],
  ],
  ['a shared directory', '1777', { 'burgee.sqlite': '600' }, '1777', { 'burgee.sqlite': '600' }, ['still']],
])('%s', async (_name, mode, files, after, filesAfter, words) => {
  for (const [name, fileMode] of Object.entries(files)) {
    writeFileSync(join(directory, name), '')
    chmodSync(join(directory, name), Number.parseInt(fileMode, 8))
  }
  chmodSync(directory, Number.parseInt(mode, 8))
  const lines = await revokeAccessOfOthers(directory)
  expect(lines.map((line) => /(removed|still)/.exec(line)?.[1])).toEqual(words)
  expect(modeOf('.')).toBe(after)
  expect(Object.fromEntries(Object.keys(files).map((name) => [name, modeOf(name)]))).toEqual(filesAfter)
  for (const line of lines) expect(line).toContain(directory)
  const again = await revokeAccessOfOthers(directory)
  expect(again).toEqual(lines.filter((line) => line.includes('still')))
})

test('the lock and lost+found do not mark a directory as used by another program', async () => {
  for (const name of ['lock.sock', 'lost+found']) writeFileSync(join(directory, name), '', { mode: 0o755 })
  chmodSync(directory, 0o755)
  expect(await revokeAccessOfOthers(directory)).toEqual([expect.stringContaining('access was removed')])
  expect([modeOf('.'), modeOf('lock.sock')]).toEqual(['750', '755'])
})

test('a link is not followed', async () => {
  const elsewhere = join(directory, '..', 'elsewhere')
  writeFileSync(elsewhere, '')
  chmodSync(elsewhere, 0o644)
  chmodSync(directory, 0o700)
  symlinkSync(elsewhere, join(directory, 'burgee.sqlite'))
  expect(await revokeAccessOfOthers(directory)).toEqual([expect.stringContaining('still')])
  expect(statSync(elsewhere).mode & 0o777).toBe(0o644)
})
