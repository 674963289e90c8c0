import { toSkeleton } from './lookalikes.ts'

/** Names that events show for changes without a user, in this server and in servers whose events are imported. */
const RESERVED = [
  'anonymous',
  'burgee',
  'burgee import',
  'import',
  'init-api-tokens',
  'migration',
  'server',
  'system',
  'unknown',
  'unleash',
  'unleash_system_user',
].map(toSkeleton)

/** Form of the name that events show for a user without username and e-mail address. */
const USER_ID = /^user \d+$/

const RESERVED_SKELETONS: ReadonlySet<string> = new Set(RESERVED)

/**
 * Returns true if events show a name, or a name that looks the same, for changes without a user. An account of this
 * name could disguise its changes as changes of the server.
 */
export function isReservedName(login: string): boolean {
  const name = login.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
  return USER_ID.test(name) || RESERVED_SKELETONS.has(toSkeleton(login))
}
