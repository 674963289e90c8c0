import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { FairQueue } from '@burgee/kit/fair-queue'
import { networkOf } from '@burgee/kit/http/network'
import { type LimitKey, limitKey } from '@burgee/kit/http/rate-limit'
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
/** Passwords that are hashed or checked at the same time. */
export const PASSWORDS_AT_ONCE = 2
/** Maximum number of passwords that wait for their turn: half a minute of work. */
export const MAX_WAITING_PASSWORDS = 200
/** These work on the thread that asks. */
const MOST_FOREIGN_AT_ONCE = 1

/**
 * Hashes and checks passwords, at most two at a time: each takes about 32 MiB and a core for a moment. Networks and users
 * take turns. Throws RateLimitError if too many wait, and those of the caller are the most.
 */
export interface Passwords {
  /** `scrypt$<N>$<r>$<p>$<salt>$<hash>`, base64. */
  hash(password: string, caller: LimitKey): Promise<string>
  /** Whether the password is the one; takes as long with `undefined` (no such user) and is then always false. */
  matches(password: string, hash: string | undefined, caller: LimitKey): Promise<boolean>
  /** Whether a hash was made elsewhere, in another way: it is to be replaced as soon as its password is known. */
  isForeign(hash: string): boolean
}

/** Caller of passwords that the server itself or its operator hashes. */
export const OWN_PASSWORDS = limitKey('server')

/** Returns the key by which an author waits: the user, or the network of somebody who is not known yet. */
export function passwordCaller({
  userId,
  address,
}: {
  readonly userId?: number
  readonly address: string | null
}): LimitKey {
  return userId === undefined ? networkOf(address ?? '') : limitKey(`user ${userId}`)
}

/** Makes a key of a password: what costs the time. */
export type Derive = (password: string, salt: Buffer, cost: PasswordCost) => Promise<Buffer>

/**
 * Passwords by scrypt; the parameters stand in each hash, so that they can be raised later. Another `cost` than the
 * default is for tests, which make thousands of hashes that protect nothing.
 */
export function createPasswords(derive: Derive = deriveByScrypt, cost: PasswordCost = COST): Passwords {
  const limited = limiter(PASSWORDS_AT_ONCE)
  const limitedForeign = limiter(MOST_FOREIGN_AT_ONCE)
  const nobody = Buffer.alloc(16)
  return {
    async hash(password, caller) {
      const salt = randomBytes(16)
      const key = await limited(caller, () => derive(password, salt, cost))
      return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$')
    },
    isForeign: isBcrypt,
    async matches(password, hash, caller) {
      if (hash !== undefined && isBcrypt(hash)) return limitedForeign(caller, () => matchesBcrypt(password, hash))
      const [algorithm, n, r, p, salt, expected] = (hash ?? '').split('$')
      if (algorithm !== 'scrypt' || salt === undefined || expected === undefined) {
        await limited(caller, () => derive(password, nobody, cost))
        return false
      }
      const spent = { N: Number(n), r: Number(r), p: Number(p) }
      const key = await limited(caller, () => derive(password, Buffer.from(salt, 'base64'), spent))
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

interface Waiting {
  readonly begin: () => void
  readonly refuse: (problem: Problem) => void
}

/** Runs at most `most` tasks at once; callers take turns. Rejects the newest of the caller that has most when too many wait. */
function limiter(most: number) {
  let running = 0
  let count = 0
  const waiting = new FairQueue<Waiting>({ max: MAX_WAITING_PASSWORDS })
  const turn = (caller: LimitKey) =>
    new Promise<void>((begin, refuse) => {
      count += 1
      const dropped = waiting.add(caller, String(count), { begin, refuse })
      dropped?.refuse(new Problem('RateLimitError', 'Too many passwords are being checked.'))
    })
  return async <T>(caller: LimitKey, task: () => Promise<T>): Promise<T> => {
    if (running >= most) await turn(caller)
    else running += 1
    try {
      return await task()
    } finally {
      const [next] = waiting.take(1).values()
      if (next === undefined) running -= 1
      else next.begin()
    }
  }
}
