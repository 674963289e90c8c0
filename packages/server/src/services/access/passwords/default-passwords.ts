import { isBcrypt, matchesBcrypt } from './bcrypt-hashes.ts'

/** Password that other servers give to their first administrator. */
const DEFAULT_PASSWORD = 'unleash4all'
/** Username of that administrator. */
const DEFAULT_NAME = 'admin'
/** Maximum number of hashes that are compared: each costs some 100 ms. */
const MAX_COMPARED = 50

/** An account that came with a hash of another server. */
export interface ForeignAccount {
  readonly name: string
  readonly hash: string
  readonly isAdmin: boolean
}

/** Accounts with the default password, and how many were not compared. */
export interface DefaultPasswords {
  readonly names: readonly string[]
  readonly uncompared: number
}

/** Compares bcrypt hashes with the default password of other servers, administrators first, in bounded work. */
export async function findDefaultPasswords(accounts: readonly ForeignAccount[]): Promise<DefaultPasswords> {
  const foreign = accounts.filter(({ hash }) => isBcrypt(hash)).sort((a, b) => rankOf(a) - rankOf(b))
  const names: string[] = []
  for (const { name, hash } of foreign.slice(0, MAX_COMPARED)) {
    if (await matchesBcrypt(DEFAULT_PASSWORD, hash)) names.push(name)
  }
  return { names, uncompared: Math.max(0, foreign.length - MAX_COMPARED) }
}

function rankOf({ name, isAdmin }: ForeignAccount): number {
  if (name === DEFAULT_NAME) return 0
  return isAdmin ? 1 : 2
}
