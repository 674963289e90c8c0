import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { estimateSecretBits, MIN_SECRET_BITS } from './secret-strength.ts'

/** Returns pseudo-random bytes, the same for each seed. */
const bytes = (seed: number, length: number) => createHash('sha512').update(String(seed)).digest().subarray(0, length)
const SEEDS = Array.from({ length: 500 }, (_, seed) => seed)

describe('made by a machine, of 128 bits or more', () => {
  test.each<[string, (seed: number) => string]>([
    ['16 bytes in hex', (seed) => bytes(seed, 16).toString('hex')],
    ['in capitals', (seed) => bytes(seed, 16).toString('hex').toUpperCase()],
    ['16 bytes in base64url', (seed) => bytes(seed, 16).toString('base64url')],
    ['in base64', (seed) => bytes(seed, 16).toString('base64')],
    ['28 bytes in hex, as tokens of the server', (seed) => bytes(seed, 28).toString('hex')],
    [
      'a UUID',
      (seed) =>
        bytes(seed, 16)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    ],
    [
      '64 digits',
      (seed) =>
        BigInt(`0x${bytes(seed, 40).toString('hex')}`)
          .toString()
          .slice(0, 64),
    ],
  ])('%s', (_what, make) => {
    expect(SEEDS.map(make).filter((secret) => estimateSecretBits(secret) < MIN_SECRET_BITS)).toEqual([])
  })

  test('ten words of a list', () => {
    const words = 'anvil-bucket-cactus-dollar-eagle-fabric-garden-hammer-island-jacket'
    expect(estimateSecretBits(words)).toBeGreaterThanOrEqual(MIN_SECRET_BITS)
  })
})

describe('too little', () => {
  test.each([
    ['', 0],
    ['some-secret', 26],
    ['unleash-insecure-api-token', 52],
    ['unleash-insecure-frontend-api-token', 65],
    ['Default_Client_Token_2024', 52],
    ['964a287e1b728cb5f4f3e0120df92cb5'.slice(0, 31), 124],
    ['KqYwZbR3tXv9LmNpQ7sDf'.slice(0, 21), 126],
    ['a'.repeat(200), 0],
    ['ab'.repeat(60), 2],
    ['1234567890', 33],
  ])('%s is about %i bits', (secret, bits) => {
    expect(Math.round(estimateSecretBits(secret))).toBe(bits)
    expect(estimateSecretBits(secret)).toBeLessThan(MIN_SECRET_BITS)
  })
})
