import { toSkeleton } from './lookalikes.ts'

/** Names of the actors that stand for this server itself. */
export const SYSTEM_NAMES = [
  'burgee import',
  'burgee reset-password (command line)',
  'forgotten password',
  'scim',
  'single sign-on',
  'system',
] as const
export type SystemName = (typeof SYSTEM_NAMES)[number]

/**
 * Further names that could be mistaken for the server, and names that imported events show for changes without a user.
 */
const OTHER_NAMES = [
  'anonymous',
  'burgee',
  'import',
  'init-api-tokens',
  'migration',
  'server',
  'unknown',
  'unleash',
  'unleash_system_user',
]

/** Form of the name that events show for a user without a username and e-mail address. */
const USER_ID = /^user \d+$/

const RESERVED_SKELETONS: ReadonlySet<string> = new Set([...SYSTEM_NAMES, ...OTHER_NAMES].map(toSkeleton))

/**
 * Returns true if events use the name, or one that looks the same, for changes without a user. An account with this
 * name could make its changes look like changes by the server.
 */
export function isReservedName(login: string): boolean {
  const name = login.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
  return USER_ID.test(name) || RESERVED_SKELETONS.has(toSkeleton(login))
}
