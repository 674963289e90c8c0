import { expect, test } from 'vitest'
import { generatePassword } from './generated-password.ts'

test('a generated password has four groups of unambiguous letters and digits', () => {
  expect(generatePassword((bytes) => bytes.fill(0))).toBe('aaaaa-aaaaa-aaaaa-aaaaa')
  const all = generatePassword((bytes) => bytes.map((_, index) => index * 13))
  expect(all).toMatch(/^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){3}$/)
  expect(generatePassword((bytes) => crypto.getRandomValues(bytes))).not.toBe(
    generatePassword((bytes) => crypto.getRandomValues(bytes)),
  )
})
