import { expect, test } from 'vitest'
import { isReservedName, SYSTEM_NAMES } from './reserved-names.ts'

const LOOKALIKES = [
  'System',
  'SYSTEM.',
  'ѕyѕtem',
  'sуstem',
  'ｓｙｓｔｅｍ',
  'burgee  import',
  'user 7',
  'User  12',
  'Unknown',
]

test.each([...SYSTEM_NAMES, ...LOOKALIKES])('"%s" is reserved', (name) => {
  expect(isReservedName(name)).toBe(true)
})

test.each(['admin', 'systems', 'ann', 'user7', 'unknown@corp.example', 'importer'])('"%s" is not reserved', (name) => {
  expect(isReservedName(name)).toBe(false)
})
