import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords()

test('a hash names its algorithm and parameters, differs each time, and fits only its password', async () => {
  const [first, second] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
  expect(first).toMatch(/^scrypt\$32768\$8\$3\$[\w+/=]{24}\$[\w+/=]{44}$/)
  expect(first).not.toBe(second)
  expect(await passwords.matches('correct horse', first)).toBe(true)
  expect(await passwords.matches('correct hors', first)).toBe(false)
  expect(await passwords.matches('', first)).toBe(false)
})

test('the same letters written in two ways are one password', async () => {
  expect(await passwords.matches('u\u0308ber', await passwords.hash('\u00fcber'))).toBe(true)
})

test('no hash fits nothing, and takes as long', async () => {
  const hash = await passwords.hash('x')
  const timeOf = async (known: string | undefined) => {
    const start = performance.now()
    expect(await passwords.matches('wrong', known)).toBe(false)
    return performance.now() - start
  }
  const known = Math.min(await timeOf(hash), await timeOf(hash), await timeOf(hash))
  const unknown = Math.min(await timeOf(undefined), await timeOf(undefined), await timeOf(undefined))
  expect(unknown).toBeGreaterThan(known / 2)
  expect(unknown).toBeLessThan(known * 2)
  expect(await passwords.matches('', '')).toBe(false)
})

test('hashes of lower cost, made by an older version, still fit', async () => {
  const { scryptSync } = await import('node:crypto')
  const salt = Buffer.from('0123456789abcdef')
  const key = scryptSync('old', salt, 32, { N: 1024, r: 8, p: 1 })
  const hash = ['scrypt', 1024, 8, 1, salt.toString('base64'), key.toString('base64')].join('$')
  expect(await passwords.matches('old', hash)).toBe(true)
})
