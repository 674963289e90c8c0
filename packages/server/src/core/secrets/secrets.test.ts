import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseKeyBytes } from './secret-key.ts'
import { createSecrets } from './secrets.ts'

const folders: string[] = []
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true })
})
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'burgee-secrets-'))
  folders.push(path)
  return path
}
const random = randomBytes
const bytes = randomBytes(32)
const KEY = bytes.toString('base64')

describe('a key', () => {
  test.each([
    ['base64', KEY],
    ['base64 without padding', KEY.slice(0, -1)],
    ['base64 for URLs', bytes.toString('base64url')],
    ['hex', bytes.toString('hex')],
    ['capital hex', bytes.toString('hex').toUpperCase()],
  ])('parses from %s', (_name, text) => expect(parseKeyBytes(text)).toEqual(bytes))

  test.each(['', 'short', randomBytes(31).toString('base64'), randomBytes(33).toString('hex'), `${KEY} ${KEY}`])(
    'fails to parse at any other length: %s',
    (text) => expect(() => parseKeyBytes(text)).toThrow('32 bytes'),
  )
})

describe('a secret', () => {
  const secrets = createSecrets({ key: KEY, dataDir: undefined, random })

  test.each(['', 'secret', 'ünïcødé 🏴', 'x'.repeat(10_000)])('comes back as it was', (text) => {
    const sealed = secrets.seal(text, 'p')
    expect(secrets.open(sealed, 'p')).toBe(text)
    expect(sealed).not.toBe(secrets.seal(text, 'p'))
  })

  test('opens with the same key in hex and in base64', () => {
    const other = createSecrets({ key: bytes.toString('hex'), dataDir: undefined, random })
    expect(other.open(secrets.seal('x', 'p'), 'p')).toBe('x')
  })

  test('fails to open for another purpose, after tampering, or in any other format', () => {
    const sealed = secrets.seal('secret', 'p')
    expect(() => secrets.open(sealed, 'q')).toThrow('belongs to another row')
    const flipped = sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA')
    expect(() => secrets.open(flipped, 'p')).toThrow('was modified')
    expect(() => secrets.open(sealed.slice(0, 40), 'p')).toThrow('was modified')
    for (const text of ['', 'secret', 'v2.a.b', 'v1.a']) expect(() => secrets.open(text, 'p')).toThrow('form')
  })

  test.each([
    ['malformed', 'secret'],
    ['altered', secrets.seal('secret', 'another purpose')],
    ['key-missing', createSecrets({ key: randomBytes(32).toString('hex'), dataDir: undefined, random }).seal('s', 'p')],
  ])('fails to open with the reason %s', (reason, sealed) => {
    expect(() => secrets.open(sealed, 'p')).toThrow(expect.objectContaining({ name: 'SecretUnreadable', reason }))
  })

  test('fails to open with another key, naming both key ids and the variable', () => {
    const other = createSecrets({ key: randomBytes(32).toString('hex'), dataDir: undefined, random })
    expect(() => other.open(secrets.seal('secret', 'p'), 'p')).toThrow(
      /^A secret was encrypted with the key [0-9a-f]{12}, and the key here is [0-9a-f]{12}: set BURGEE_SECRET_KEY/,
    )
  })
})

describe('a key file', () => {
  test('appears when a secret is stored, with mode 600, and is read again', () => {
    const dataDir = folder()
    const file = join(dataDir, 'secret-key')
    const secrets = createSecrets({ key: undefined, dataDir, random })
    expect(() => secrets.open('v1.000000000000.AAAA', 'p')).toThrow('no key is set')
    expect(() => statSync(file)).toThrow('ENOENT')
    const sealed = secrets.seal('secret', 'p')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(createSecrets({ key: undefined, dataDir, random }).open(sealed, 'p')).toBe('secret')
    // existing secrets must stay readable if the variable is set later
    const later = createSecrets({ key: KEY, dataDir, random })
    expect(later.open(sealed, 'p')).toBe('secret')
    expect(createSecrets({ key: KEY, dataDir: undefined, random }).open(later.seal('x', 'p'), 'p')).toBe('x')
  })

  test('stays as it is if it holds no key, and storing fails', () => {
    const dataDir = folder()
    const file = join(dataDir, 'secret-key')
    writeFileSync(file, 'nonsense')
    expect(() => createSecrets({ key: undefined, dataDir, random }).seal('x', 'p')).toThrow(file)
    expect(readFileSync(file, 'utf8')).toBe('nonsense')
  })

  test('must exist, or the variable, before a secret can be stored', () => {
    const secrets = createSecrets({ key: undefined, dataDir: undefined, random })
    expect(() => secrets.seal('x', 'p')).toThrow(/BURGEE_SECRET_KEY/)
  })
})
