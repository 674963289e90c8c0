import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { getCurrent } from './current-value.ts'
import { listSecrets, type OptionTable, parseOptions } from './options.ts'
import { text } from './parsers.ts'

const folder = mkdtempSync(join(tmpdir(), 'burgee-current-'))
const file = join(folder, 'secret')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TABLE = {
  password: { env: ['PASSWORD'], parse: text, secret: true, reread: true, doc: 'Password.' },
} as const satisfies OptionTable

test('a secret from its file is read again at each use, and stays the last good one', () => {
  writeFileSync(file, 'one\n')
  const values = parseOptions(TABLE, { env: { PASSWORD_FILE: file } })
  expect(listSecrets(TABLE, values)).toEqual(['one'])
  expect(getCurrent(values.password)).toBe('one')
  writeFileSync(file, 'two\n')
  expect(getCurrent(values.password)).toBe('two')
  writeFileSync(file, '')
  expect(getCurrent(values.password)).toBe('two')
  rmSync(file)
  expect(getCurrent(values.password)).toBe('two')
})

test('a secret from elsewhere is a plain value, and a file that cannot be read ends the start', () => {
  expect(parseOptions(TABLE, { env: { PASSWORD: 'x' } })).toEqual({ password: 'x' })
  expect(() => parseOptions(TABLE, { env: { PASSWORD_FILE: join(folder, 'nowhere') } })).toThrow(/ENOENT/)
})
