import { compare, getRounds } from 'bcryptjs'

/** Each step doubles the work; more than these is no hash that a server made for people. */
const MOST_ROUNDS = 14
const GRAMMAR = /^\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}$/

/** Whether a hash came with somebody from a server that used bcrypt. */
export function isBcrypt(hash: string): boolean {
  return GRAMMAR.test(hash)
}

/**
 * Whether a password is that of a bcrypt hash. The text is taken as it is, and cut after 72 bytes, as it was when the hash
 * was made. It yields at least every 100 ms, and takes less with the cost that is usual.
 */
export async function matchesBcrypt(password: string, hash: string): Promise<boolean> {
  return getRounds(hash) <= MOST_ROUNDS && compare(password, hash)
}
