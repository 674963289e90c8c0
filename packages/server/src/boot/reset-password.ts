import type { Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { OPERATOR, resetByOperator } from '../admin/access/people/password-reset.ts'
import { isPasswordLoginOff, putPasswordLogin } from '../admin/sso/password-login.ts'
import { createPasswords } from '../core/access/passwords/passwords.ts'
import { execute } from '../core/execute.ts'
import { createSecrets } from '../core/secrets/secrets.ts'
import { createBroadcast } from '../delivery/events/broadcast.ts'
import { type DatabaseChoice, openAsGuest } from './open-database.ts'

/** Dependencies of a password reset on the command line. */
export interface ResetDeps {
  /** Options that identify the database. */
  readonly options: DatabaseChoice
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
  /** True to re-enable password logins if they are off. */
  readonly enablePasswordLogin?: boolean
}

/**
 * Generates a new password for the user with the given username or e-mail address. If no name is given, selects the
 * only administrator. A server that runs on the same database applies the change without a restart. Throws
 * AmbiguousUserError if the user cannot be determined, and errors of opening the database. Creates no database and no
 * tables.
 */
export async function resetPassword(
  { options, clock, random, logger, enablePasswordLogin = false }: ResetDeps,
  login: string | undefined,
): Promise<{ readonly name: string; readonly password: string; readonly isPasswordLoginOff: boolean }> {
  const db = await openAsGuest(options, { clock })
  try {
    // the generated password is not stored in readable form, so no encryption key is needed
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
