import type { Logger } from '@burgee/kit/log/logger'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { classifyDbError } from '@burgee/storage/errors'
import { findSetting, insertUser } from '@burgee/storage/queries/access/users'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type FirstLogin,
  findFirstAdmin,
  renewFirstLogin,
  storeFirstAdmin,
  toFirstLogin,
} from '../../admin/access/people/first-login.ts'
import type { FirstPassword } from '../../admin/access/people/first-password.ts'
import { toUserState } from '../../admin/access/people/user-admin.ts'
import type { ImportWarning } from '../../admin/transfer/import-warnings.ts'
import { requireStrong } from '../../core/access/passwords/password-rules.ts'
import type { Passwords } from '../../core/access/passwords/passwords.ts'
import { createToken } from '../../core/access/tokens/tokens.ts'
import { type Change, type ChangeContext, execute } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'
import { findContentWarnings, putFirstContent, type ReadContent } from './first-content.ts'
import { FirstStartError, type FirstStartOptions, type InitToken } from './first-start-options.ts'
import { warnOfIgnored } from './ignored-variables.ts'

/** Result of a start. */
export interface Start {
  /** True if this is the first start on the database, and no other server started first. */
  readonly isNew: boolean
  /**
   * Credentials of the first login, which are printed at each start; undefined once they no longer need to be printed.
   */
  readonly login: FirstLogin | undefined
}

const INSTANCE_ID = 'instanceId'

/** Services and options that a start needs in addition to the world. */
export interface FirstStartDeps {
  readonly passwords: Passwords
  readonly options: FirstStartOptions
  /** First password, shared by all retries of this start. */
  readonly password: FirstPassword
  /** Receives the progress of a large import; the logger of the world if omitted. */
  readonly progressLogger?: Logger | undefined
}

/**
 * Creates the instance id, the administrator and the tokens, once per database. Until a user has logged in, later
 * starts renew the credentials of the first login; they also warn about options that have no effect. The call can be
 * repeated if the database fails, because it detects a commit that succeeded although its acknowledgement was lost.
 */
export async function firstStart(world: World, deps: FirstStartDeps): Promise<Start> {
  const { passwords, options, password } = deps
  const isEmpty = (await findSetting(world.db.reader, INSTANCE_ID)) === undefined
  const isMade = isEmpty && (await startFirst(world, deps))
  const stored = await findStoredLogin(world, password)
  if (stored?.use === 'new') for (const line of password.lines) world.logger.warn(line)
  if (isMade || stored?.use === 'new') return { isNew: true, login: stored?.login }
  const login = stored?.login ?? (await renewFirstLogin(world, password))
  await warnOfIgnored(world, passwords, options)
  return { isNew: false, login }
}

/** Returns the credentials of the first login if this start has stored their password. */
async function findStoredLogin({ db }: World, password: FirstPassword) {
  const noted = await findFirstAdmin(db.reader)
  const use = password.findUse(noted?.passwordHash)
  return noted === undefined || use === undefined
    ? undefined
    : { use, login: toFirstLogin(password, noted.username, use) }
}

/** Writes the first content of the database. Returns false if another server has already written it. */
async function startFirst(world: World, { options, password, progressLogger }: FirstStartDeps): Promise<boolean> {
  if (options.password !== undefined) requireStrongPassword(options.password, options.username)
  const passwordHash = await password.hashFor('new')
  const content = options.content?.read()
  const warnings = content === undefined ? [] : await findContentWarnings(content)
  return execute(world, SYSTEM, initialize, {
    options,
    content,
    warnings,
    password,
    passwordHash,
    logger: progressLogger ?? world.logger,
  })
}

/** Throws FirstStartError if the API would reject the configured password. */
function requireStrongPassword(password: string, username: string): void {
  try {
    requireStrong(password, [username])
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new FirstStartError(`DEFAULT_ADMIN_PASSWORD: ${error.message}`)
  }
}

interface Initial {
  readonly content: ReadContent | undefined
  /** Warnings about the initial content that do not depend on the database. */
  readonly warnings: readonly ImportWarning[]
  readonly options: FirstStartOptions
  readonly password: FirstPassword
  readonly passwordHash: string
  readonly logger: Logger
}

const initialize: Change<Initial, boolean> = async (tx, input, context) => {
  const { options, content, warnings, password, passwordHash, logger } = input
  const { isGenerated } = password
  // another process may have written the first content in the meantime
  if ((await findSetting(tx, INSTANCE_ID)) !== undefined) return { result: false, events: [] }
  await tx.insertInto('settings').values({ name: INSTANCE_ID, value: context.newId() }).execute()
  const user = await insertUser(tx, {
    username: options.username,
    email: null,
    name: null,
    password_hash: passwordHash,
    root_role: 1,
    must_change_password: Number(isGenerated),
    login_attempts: 0,
    created_at: context.now,
    seen_at: null,
    address_verified: 1,
  })
  await storeFirstAdmin(tx, {
    userId: user.id,
    username: options.username,
    passwordHash,
    isMadeUp: isGenerated,
    madeAt: context.now,
  })
  // import before creating the tokens, because tokens may refer to imported projects and environments
  const imported = content === undefined ? undefined : await putFirstContent(tx, content, { context, logger, warnings })
  const created: NewEvent = { type: 'user-created', data: toUserState(user) }
  const events = [created, ...(imported?.events ?? [])]
  for (const token of options.tokens) events.push(...(await createInitToken(tx, token, context)))
  password.note(imported?.result ?? [])
  return { result: true, events }
}

async function createInitToken(
  tx: Tx,
  { token, label }: InitToken,
  context: ChangeContext,
): Promise<readonly NewEvent[]> {
  try {
    return (await createToken(tx, token, context)).events
  } catch (error) {
    if (error instanceof Problem) throw new FirstStartError(`${label}: ${error.details?.[0]?.message ?? error.message}`)
    if (classifyDbError(error) === 'unique') throw new FirstStartError(`${label} is given twice`)
    throw error
  }
}
