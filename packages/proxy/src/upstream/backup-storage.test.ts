import { FileStorage } from '@burgee/serving/upstream/backup-file'
import { expect, test } from 'vitest'
import { createBackup } from './backup-storage.ts'

const provider = { get: async () => undefined, set: async () => {} }
const DEFAULTS = { storageProvider: undefined, backupFolder: undefined, backup: true, flagAppName: 'app' }

test.each([
  { name: 'a custom storage comes first', given: { storageProvider: provider, backupFolder: '/b' }, key: 'app' },
  { name: 'a configured folder needs no hash of the source', given: { backupFolder: '/b' }, key: 'app' },
  { name: 'the temporary folder has the hash in its key', given: {}, hash: '0123', key: 'app-0123' },
  { name: 'without a hash nothing is stored in the temporary folder', given: {}, key: undefined },
  {
    name: 'nothing is stored if it is off',
    given: { backup: false, backupFolder: '/b' },
    hash: '0123',
    key: undefined,
  },
])('$name', ({ given, hash, key }) => {
  const backup = createBackup({ ...DEFAULTS, ...given }, hash)
  expect(backup.storage === undefined ? undefined : backup.key).toBe(key)
  if ('storageProvider' in given) expect(backup.storage).toBe(provider)
  if (key !== undefined && 'backupFolder' in given && !('storageProvider' in given))
    expect(backup.storage).toBeInstanceOf(FileStorage)
})
