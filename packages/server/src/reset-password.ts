import type { Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type DatabaseChoice, openAsGuest } from './open-database.ts'
import { OPERATOR, resetByOperator } from './services/access/passwords/password-reset.ts'
import { createPasswords } from './services/access/passwords/passwords.ts'
import { createBroadcast } from './services/broadcast.ts'
import { execute } from './services/execute.ts'
import { createSecrets } from './services/secrets/secrets.ts'
import { isPasswordLoginOff, putPasswordLogin } from './services/sso/oidc-settings.ts'

/** What a reset on the command line works with. */
export interface ResetDeps {
  /** Which database it is. */
  readonly options: DatabaseChoice
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
  /** Whether logins with a password are switched on again, where they were off. */
  readonly enablePasswordLogin?: boolean
}

/**
 * Makes up a password for somebody, named by username or e-mail address, by default the only administrator; a server
 * may be running on the same database, and finds the change there. Throws WhoseError for somebody else, and what keeps
 * the database from opening; it makes no database and no tables.
 */
export async function resetPassword(
  { options, clock, random, logger, enablePasswordLogin = false }: ResetDeps,
  login: string | undefined,
): Promise<{ readonly name: string; readonly password: string; readonly isPasswordLoginOff: boolean }> {
  const db = await openAsGuest(options, { clock })
  try {
    // a password is no secret that is ever read again
    const secrets = createSecrets({ key: undefined, dataDir: undefined, random })
    const world = { db, clock, monotonic: PROCESS_CLOCK, random, logger, secrets, broadcast: createBroadcast(logger) }
    const made = await resetByOperator(world, createPasswords(), login)
    if (enablePasswordLogin)
      await execute(world, OPERATOR, putPasswordLogin, { disabled: false, oidcByOptions: undefined })
    return { ...made, isPasswordLoginOff: await isPasswordLoginOff(db.reader) }
  } finally {
    await db.close()
  }
}
