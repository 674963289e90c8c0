import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { FairQueue } from '@burgee/kit/fair-queue'
import { toNetwork } from '@burgee/kit/http/client-network'
import { buildLimitKey, type LimitKey } from '@burgee/kit/http/rate-limit'
import { Problem } from '@burgee/protocol/problem'
import { isBcrypt, matchesBcrypt } from './bcrypt-hashes.ts'

/** Work factor of a password key: the parameters of scrypt. */
export interface PasswordCost {
  /** Number of iterations, a power of two. */
  readonly N: number
  /** Block size. */
  readonly r: number
  /** Parallelization parameter: number of blocks, which are computed one after another. */
  readonly p: number
}

const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 }
const KEY_BYTES = 32
const MEMORY = 128 * COST.N * COST.r * 2
/** Maximum number of passwords that are hashed or checked concurrently. */
export const MAX_CONCURRENT_PASSWORDS = 2
/** Maximum number of queued passwords: half a minute of work. */
export const MAX_WAITING_PASSWORDS = 200
/** Maximum number of concurrent bcrypt comparisons, which run on the calling thread. */
const MAX_CONCURRENT_FOREIGN = 1

/**
 * Hashes and checks passwords, at most two at a time, because each needs about 32 MiB and briefly occupies a core.
 * Further requests wait in a queue that is fair between networks or users. If the queue is full, the caller with the
 * most queued passwords gets a RateLimitError.
 */
export interface Passwords {
  /** Returns `scrypt$<N>$<r>$<p>$<salt>$<hash>`, with salt and hash in base64. */
  hash(password: string, caller: LimitKey): Promise<string>
  /**
   * Returns true if the password matches. Pass `undefined` for an unknown user: the result is false after the same
   * time.
   */
  matches(password: string, hash: string | undefined, caller: LimitKey): Promise<boolean>
  /**
   * Returns true for a hash that was made by another server's algorithm. The caller should replace the hash as soon as
   * it knows the password.
   */
  isForeign(hash: string): boolean
}

/** Rate-limit key for passwords that the server itself or its operator sets. */
export const SERVER_PASSWORDS = buildLimitKey('server')

/** Returns the rate-limit key for an author: the user id, or the network if the user is not known yet. */
export function passwordCaller({
  userId,
  address,
}: {
  readonly userId?: number
  readonly address: string | null
}): LimitKey {
  return userId === undefined ? toNetwork(address ?? '') : buildLimitKey(`user ${userId}`)
}

/** Derives a key from a password (the expensive step). */
export type Derive = (password: string, salt: Buffer, cost: PasswordCost) => Promise<Buffer>

/**
 * Creates the service that hashes passwords with scrypt. Each hash contains its scrypt parameters, so the default cost
 * can be raised later. Tests pass a lower `cost`, because they create thousands of hashes.
 */
export function createPasswords(derive: Derive = deriveByScrypt, cost: PasswordCost = COST): Passwords {
  const limited = createLimiter(MAX_CONCURRENT_PASSWORDS)
  const limitedForeign = createLimiter(MAX_CONCURRENT_FOREIGN)
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

/**
 * Derives a key with scrypt. Normalizes the password first (NFKC), so that different encodings of the same letters
 * match.
 */
export const deriveByScrypt: Derive = (password, salt, cost) =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MEMORY }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })

interface QueuedTask {
  readonly begin: () => void
  readonly refuse: (problem: Problem) => void
}

/**
 * Creates a queue that runs at most `most` tasks at the same time and alternates between callers. If the queue is full,
 * it rejects the newest task of the caller that has the most queued tasks.
 */
function createLimiter(most: number) {
  let running = 0
  let count = 0
  const waiting = new FairQueue<QueuedTask>({ max: MAX_WAITING_PASSWORDS })
  const turn = (caller: LimitKey) =>
    new Promise<void>((begin, refuse) => {
      count += 1
      const dropped = waiting.add(caller, String(count), { begin, refuse })
      dropped?.refuse(new Problem('RateLimitError', 'Too many concurrent logins.'))
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
