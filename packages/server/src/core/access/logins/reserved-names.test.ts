import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isReservedName } from './reserved-names.ts'

const SOURCES = join(import.meta.dirname, '..', '..', '..')
const SYSTEM_AUTHOR = /isSystem: true, name: '([^']+)'/g

test('the names of all system actors in the sources are reserved', () => {
  const names = globSync('**/*.ts', { cwd: SOURCES })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(SYSTEM_AUTHOR)].map(([, name]) => name))
  expect(names).toContain('system')
  expect(names.filter((name = '') => !isReservedName(name))).toEqual([])
})

test.each([
  'system',
  'System',
  'SYSTEM.',
  'ѕyѕtem',
  'sуstem',
  'ｓｙｓｔｅｍ',
  'burgee  import',
  'user 7',
  'User  12',
  'Unknown',
])('"%s" is reserved', (name) => expect(isReservedName(name)).toBe(true))

test.each(['admin', 'systems', 'ann', 'user7', 'unknown@corp.example', 'importer'])('"%s" is not reserved', (name) => {
  expect(isReservedName(name)).toBe(false)
})
