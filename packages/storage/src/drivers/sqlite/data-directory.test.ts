import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { toDirectoryError } from './data-directory.ts'

/** Directory on Linux whose file system always reports no free space. */
const FULL = '/proc'
const sqliteError = (errcode: number, message: string) =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
const systemError = (code: string) => Object.assign(new Error('it failed'), { code })
const reasonOf = (directory: string, error: unknown) =>
  String((toDirectoryError(directory, error) as Error).message).replace(/^.* cannot be used: /, '')

test.runIf(process.platform === 'linux').each<[string, string, unknown, string]>([
  [
    'a full disk, which SQLite reports with less detail',
    FULL,
    sqliteError(10, 'disk I/O error'),
    'the disk is full (disk I/O error)',
  ],
  ['the same by an extended code', FULL, sqliteError(778, 'disk I/O error'), 'the disk is full (disk I/O error)'],
  ['an error of a disk with room', tmpdir(), sqliteError(10, 'disk I/O error'), 'disk I/O error'],
  ['another error of a full disk', FULL, sqliteError(5, 'database is locked'), 'database is locked'],
  ['a full disk', tmpdir(), systemError('ENOSPC'), 'the disk is full (ENOSPC)'],
  ['a read-only one', tmpdir(), systemError('EROFS'), 'the file system is read-only (EROFS)'],
  ['what is no matter of the directory', tmpdir(), new Error('a bug'), 'a bug'],
])('%s', (_name, directory, error, reason) => {
  expect(reasonOf(directory, error)).toBe(reason)
})
