import { toNetwork } from '@burgee/kit/http/client-network'
import { expect, test } from 'vitest'
import { createPasswords, deriveByScrypt, MAX_WAITING_PASSWORDS } from './passwords.ts'

const CALLER = toNetwork('192.0.2.1')
const passwords = createPasswords()

test('a hash names its algorithm and parameters, differs each time, and fits only its password', async () => {
  const [first, second] = await Promise.all([
    passwords.hash('correct horse', CALLER),
    passwords.hash('correct horse', CALLER),
  ])
  expect(first).toMatch(/^scrypt\$32768\$8\$3\$[\w+/=]{24}\$[\w+/=]{44}$/)
  expect(first).not.toBe(second)
  expect(await passwords.matches('correct horse', first, CALLER)).toBe(true)
  expect(await passwords.matches('correct hors', first, CALLER)).toBe(false)
  expect(await passwords.matches('', first, CALLER)).toBe(false)
})

test('the same letters written in two ways are one password', async () => {
  expect(await passwords.matches('u\u0308ber', await passwords.hash('\u00fcber', CALLER), CALLER)).toBe(true)
})

test('no hash fits nothing, and costs as much work as one', async () => {
  const work: object[] = []
  const counted = createPasswords((password, salt, cost) => {
    work.push({ ...cost, saltBytes: salt.length })
    return deriveByScrypt(password, salt, cost)
  })
  const hash = await counted.hash('x', CALLER)
  for (const known of [hash, undefined, '']) expect(await counted.matches('wrong', known, CALLER)).toBe(false)
  expect(await counted.matches('', '', CALLER)).toBe(false)
  expect(work).toEqual(Array.from({ length: 5 }, () => ({ N: 2 ** 15, r: 8, p: 3, saltBytes: 16 })))
})

test('accepts hashes of lower cost from an older version', async () => {
  const { scryptSync } = await import('node:crypto')
  const salt = Buffer.from('0123456789abcdef')
  const key = scryptSync('old', salt, 32, { N: 1024, r: 8, p: 1 })
  const hash = ['scrypt', 1024, 8, 1, salt.toString('base64'), key.toString('base64')].join('$')
  expect(await passwords.matches('old', hash, CALLER)).toBe(true)
})

/** Creates a `Passwords` whose key derivations finish only when the test completes them. */
function steppedPasswords() {
  const made: (() => void)[] = []
  const stepped = createPasswords(() => new Promise((resolve) => made.push(() => resolve(Buffer.alloc(32)))))
  return { stepped, made }
}

test('a network that floods the queue delays others by one password, and only its own are refused', async () => {
  const { stepped, made } = steppedPasswords()
  const ended: string[] = []
  const ask = (name: string, address: string) =>
    stepped.hash('x', toNetwork(address)).then(
      () => ended.push(name),
      ({ name: failure }: Error) => ended.push(`${name}: ${failure}`),
    )
  const flood = Array.from({ length: MAX_WAITING_PASSWORDS + 2 }, (_one, index) => ask(`flood ${index}`, '192.0.2.1'))
  const other = ask('other', '192.0.2.2')
  const late = ask('late', '192.0.2.1')
  await Promise.all([flood.at(-1), late])
  expect(ended).toEqual([`flood ${flood.length - 1}: RateLimitError`, 'late: RateLimitError'])
  for (let step = 0; step < 4; step += 1) {
    made[step]?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await other
  expect(ended.slice(2)).toEqual(['flood 0', 'flood 1', 'flood 2', 'other'])
})
