import { isBcrypt, matchesBcrypt } from './bcrypt-hashes.ts'

/** Default password of the first administrator on other flag servers, such as Unleash. */
const DEFAULT_PASSWORD = 'unleash4all'
/** Username of the first administrator on other flag servers. */
const DEFAULT_NAME = 'admin'
/** Maximum number of hashes to compare; each takes about 100 ms. */
const MAX_COMPARED = 50

/** Account imported with a password hash of another server. */
export interface ForeignAccount {
  readonly name: string
  readonly hash: string
  readonly isAdmin: boolean
}

/** Names of accounts with the default password, and the number of accounts whose hashes were not compared. */
export interface DefaultPasswords {
  readonly names: readonly string[]
  readonly uncompared: number
}

/**
 * Compares bcrypt hashes with the default password of other servers, administrators first, up to `MAX_COMPARED` hashes.
 */
export async function findDefaultPasswords(accounts: readonly ForeignAccount[]): Promise<DefaultPasswords> {
  const foreign = accounts.filter(({ hash }) => isBcrypt(hash)).sort((a, b) => getRank(a) - getRank(b))
  const names: string[] = []
  for (const { name, hash } of foreign.slice(0, MAX_COMPARED)) {
    if (await matchesBcrypt(DEFAULT_PASSWORD, hash)) names.push(name)
  }
  return { names, uncompared: Math.max(0, foreign.length - MAX_COMPARED) }
}

function getRank({ name, isAdmin }: ForeignAccount): number {
  if (name === DEFAULT_NAME) return 0
  return isAdmin ? 1 : 2
}
