import { expect, test } from 'vitest'
import { isEncryptedAddress } from './encrypted-addresses.ts'

test.each([
  ['https://flags.example/api', true],
  ['rediss://redis.example', true],
  ['http://localhost:4242', true],
  ['http://127.0.0.1:4242', true],
  ['http://[::1]:4242', true],
  ['redis://localhost', true],
  ['http://flags.example', false],
  ['http://10.0.0.1', false],
  ['http://localhost.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://127.0.0.1@evil.example', false],
  ['redis://redis.example', false],
])('%s is encrypted or on this machine: %s', (address, expected) => {
  expect(isEncryptedAddress(address)).toBe(expected)
})
