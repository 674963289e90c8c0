import { compare, getRounds } from 'bcryptjs'

/** Maximum bcrypt cost; each step doubles the work. No known server uses a higher cost for user passwords. */
const MAX_ROUNDS = 14
const GRAMMAR = /^\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}$/

/** Returns true for a bcrypt hash, which can only come from an imported account. */
export function isBcrypt(hash: string): boolean {
  return GRAMMAR.test(hash)
}

/**
 * Compares a password with a bcrypt hash. Does not normalize the password, and truncates it after 72 bytes, in the same
 * way as when the hash was created. The comparison yields to other work at least every 100 ms. A comparison takes less
 * than 100 ms at the usual bcrypt cost.
 */
export async function matchesBcrypt(password: string, hash: string): Promise<boolean> {
  return getRounds(hash) <= MAX_ROUNDS && compare(password, hash)
}
