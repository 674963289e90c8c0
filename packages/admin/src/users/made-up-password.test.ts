import { expect, test } from 'vitest'
import { makePassword } from './made-up-password.ts'

test('a made-up password is four groups of letters and digits that nobody mixes up', () => {
  expect(makePassword((bytes) => bytes.fill(0))).toBe('aaaaa-aaaaa-aaaaa-aaaaa')
  const all = makePassword((bytes) => bytes.map((_, index) => index * 13))
  expect(all).toMatch(/^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){3}$/)
  expect(makePassword((bytes) => crypto.getRandomValues(bytes))).not.toBe(
    makePassword((bytes) => crypto.getRandomValues(bytes)),
  )
})
