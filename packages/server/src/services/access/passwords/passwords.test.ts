import { expect, test } from 'vitest'
import { createPasswords, deriveByScrypt } from './passwords.ts'

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

test('no hash fits nothing, and costs as much work as one', async () => {
  const work: object[] = []
  const counted = createPasswords((password, salt, cost) => {
    work.push({ ...cost, saltBytes: salt.length })
    return deriveByScrypt(password, salt, cost)
  })
  const hash = await counted.hash('x')
  for (const known of [hash, undefined, '']) expect(await counted.matches('wrong', known)).toBe(false)
  expect(await counted.matches('', '')).toBe(false)
  expect(work).toEqual(Array.from({ length: 5 }, () => ({ N: 2 ** 15, r: 8, p: 3, saltBytes: 16 })))
})

test('hashes of lower cost, made by an older version, still fit', async () => {
  const { scryptSync } = await import('node:crypto')
  const salt = Buffer.from('0123456789abcdef')
  const key = scryptSync('old', salt, 32, { N: 1024, r: 8, p: 1 })
  const hash = ['scrypt', 1024, 8, 1, salt.toString('base64'), key.toString('base64')].join('$')
  expect(await passwords.matches('old', hash)).toBe(true)
})
