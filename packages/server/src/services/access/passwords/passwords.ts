import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { Problem } from '@burgee/protocol/problem'
import { isBcrypt, matchesBcrypt } from './bcrypt-hashes.ts'

/** How much work it is to make a key of a password: the parameters of scrypt. */
export interface PasswordCost {
  /** Iterations, a power of two. */
  readonly N: number
  /** Size of a block. */
  readonly r: number
  /** Blocks computed one after another. */
  readonly p: number
}

const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32
const MEMORY = 128 * COST.N * COST.r * 2
const MOST_AT_ONCE = 2
/** What waits longer than half a minute for its turn is not waited for any more. */
const MOST_WAITING = 200
/** These work on the thread that asks. */
const MOST_FOREIGN_AT_ONCE = 1

/**
 * Hashes and checks passwords, at most two at a time: each takes about 32 MiB and a core for a moment. Throws
 * RateLimitError where too many wait.
 */
export interface Passwords {
  /** `scrypt$<N>$<r>$<p>$<salt>$<hash>`, base64. */
  hash(password: string): Promise<string>
  /** Whether the password is the one; takes as long with `undefined` (no such user) and is then always false. */
  matches(password: string, hash: string | undefined): Promise<boolean>
  /** Whether a hash was made elsewhere, in another way: it is to be replaced as soon as its password is known. */
  isForeign(hash: string): boolean
}

/** Makes a key of a password: what costs the time. */
export type Derive = (password: string, salt: Buffer, cost: PasswordCost) => Promise<Buffer>

/**
 * Passwords by scrypt; the parameters stand in each hash, so that they can be raised later. Another `cost` than the
 * default is for tests, which make thousands of hashes that protect nothing.
 */
export function createPasswords(derive: Derive = deriveByScrypt, cost: PasswordCost = COST): Passwords {
  const limited = limiter(MOST_AT_ONCE)
  const limitedForeign = limiter(MOST_FOREIGN_AT_ONCE)
  const nobody = Buffer.alloc(16)
  return {
    async hash(password) {
      const salt = randomBytes(16)
      const key = await limited(() => derive(password, salt, cost))
      return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$')
    },
    isForeign: isBcrypt,
    async matches(password, hash) {
      if (hash !== undefined && isBcrypt(hash)) return limitedForeign(() => matchesBcrypt(password, hash))
      const [algorithm, n, r, p, salt, expected] = (hash ?? '').split('$')
      if (algorithm !== 'scrypt' || salt === undefined || expected === undefined) {
        await limited(() => derive(password, nobody, cost))
        return false
      }
      const spent = { N: Number(n), r: Number(r), p: Number(p) }
      const key = await limited(() => derive(password, Buffer.from(salt, 'base64'), spent))
      const wanted = Buffer.from(expected, 'base64')
      return key.length === wanted.length && timingSafeEqual(key, wanted)
    },
  }
}

/** The key of a password by scrypt, the same for every way to write its letters. */
export const deriveByScrypt: Derive = (password, salt, cost) =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MEMORY }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })

/** Runs at most `most` tasks at once; the others wait in order. Throws RateLimitError where too many do. */
function limiter(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (waiting.length >= MOST_WAITING) throw new Problem('RateLimitError', 'Too many passwords are being checked.')
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
