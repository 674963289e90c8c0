import { compare, getRounds } from 'bcryptjs'

/** Maximum bcrypt cost; each step doubles the work. No server uses more for user passwords. */
const MOST_ROUNDS = 14
const GRAMMAR = /^\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}$/

/** Returns true for a bcrypt hash, which can only come from an imported account. */
export function isBcrypt(hash: string): boolean {
  return GRAMMAR.test(hash)
}

/**
 * Compares a password with a bcrypt hash. The password is not normalized and is truncated after 72 bytes, as when the
 * hash was made. The comparison yields at least every 100 ms; at the usual cost it takes less than that.
 */
export async function matchesBcrypt(password: string, hash: string): Promise<boolean> {
  return getRounds(hash) <= MOST_ROUNDS && compare(password, hash)
}
