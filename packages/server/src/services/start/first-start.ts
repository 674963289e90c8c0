import { Problem } from '@burgee/protocol/problem'
import { insertUser, setting } from '../../store/access/users.ts'
import type { Tx } from '../../store/database.ts'
import { classifyDbError } from '../../store/errors.ts'
import type { NewEvent } from '../../store/events/events.ts'
import { requireStrong } from '../access/passwords/password-rules.ts'
import { OWN_PASSWORDS, type Passwords } from '../access/passwords/passwords.ts'
import { type FirstLogin, makeUpPassword, noteFirstAdmin, renewFirstLogin } from '../access/people/first-login.ts'
import { userState } from '../access/people/user-admin.ts'
import { createToken } from '../access/tokens/tokens.ts'
import { type Change, execute, type Moment } from '../execute.ts'
import { SYSTEM, type World } from '../world.ts'
import { putFirstContent, type ReadContent } from './first-content.ts'
import { type FirstStartOptions, type InitToken, InitTokensError } from './first-start-options.ts'
import { warnOfIgnored } from './ignored-variables.ts'

/** What a start found and made. */
export interface Start {
  /** Whether this is the first one on the database, and no other server was first. */
  readonly isNew: boolean
  /** The first login, as long as it is to be said. */
  readonly login: FirstLogin | undefined
}

const INSTANCE_ID = 'instanceId'

/**
 * Makes instance id, administrator and tokens, once in the life of a database. A later start makes the first login anew
 * until somebody has logged in, and warns of what it does not do although the configuration asks for it.
 */
export async function firstStart(world: World, passwords: Passwords, options: FirstStartOptions): Promise<Start> {
  if ((await setting(world.db.reader, INSTANCE_ID)) === undefined) {
    const login = await beFirst(world, passwords, options)
    if (login !== undefined) return { isNew: true, login }
  }
  const login = await renewFirstLogin(world, passwords, options.password)
  await warnOfIgnored(world, passwords, options)
  return { isNew: false, login }
}

/** Undefined where another server was first. */
async function beFirst(
  world: World,
  passwords: Passwords,
  options: FirstStartOptions,
): Promise<FirstLogin | undefined> {
  const given = options.password
  if (given !== undefined) warnOfWeak(world, given, options.username)
  const password = given ?? makeUpPassword(world.random)
  const passwordHash = await passwords.hash(password, OWN_PASSWORDS)
  const isMadeUp = given === undefined
  const content = options.content?.read()
  const made = await execute(world, SYSTEM, initialise, { options, content, passwordHash, isMadeUp })
  if (made === undefined) return undefined
  for (const line of made.lines) world.logger.warn(line)
  return {
    username: options.username,
    password: isMadeUp ? password : undefined,
    made: isMadeUp ? 'new' : 'configured',
  }
}

/** A start must not fail over it, for it is only made once: what people set over the API is refused instead. */
function warnOfWeak({ logger }: World, password: string, username: string): void {
  try {
    requireStrong(password, [username])
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    logger.warn(`The configured password of the first administrator is weak, change it soon: ${error.message}`)
  }
}

interface Initial {
  readonly content: ReadContent | undefined
  readonly options: FirstStartOptions
  readonly passwordHash: string
  readonly isMadeUp: boolean
}

/** What a first start made; `lines` are for the log. */
interface Initialised {
  readonly lines: readonly string[]
}

const initialise: Change<Initial, Initialised | undefined> = async (
  tx,
  { options, content, passwordHash, isMadeUp },
  moment,
) => {
  // another process may have been first
  if ((await setting(tx, INSTANCE_ID)) !== undefined) return { result: undefined, events: [] }
  await tx.insertInto('settings').values({ name: INSTANCE_ID, value: moment.newId() }).execute()
  const user = await insertUser(tx, {
    username: options.username,
    email: null,
    name: null,
    password_hash: passwordHash,
    root_role: 1,
    must_change_password: Number(isMadeUp),
    login_attempts: 0,
    created_at: moment.now,
    seen_at: null,
    address_verified: 1,
  })
  await noteFirstAdmin(tx, { userId: user.id, username: options.username, passwordHash, isMadeUp, madeAt: moment.now })
  const events: NewEvent[] = [{ type: 'user-created', data: userState(user) }]
  // before the tokens, which may be for its projects and environments
  const imported = content === undefined ? undefined : await putFirstContent(tx, content, moment)
  events.push(...(imported?.events ?? []))
  for (const token of options.tokens) events.push(...(await makeToken(tx, token, moment)))
  return { result: { lines: imported?.result ?? [] }, events }
}

async function makeToken(tx: Tx, { token, label }: InitToken, moment: Moment): Promise<readonly NewEvent[]> {
  try {
    return (await createToken(tx, token, moment)).events
  } catch (error) {
    if (error instanceof Problem) throw new InitTokensError(`${label}: ${error.details?.[0]?.message ?? error.message}`)
    if (classifyDbError(error) === 'unique') throw new InitTokensError(`${label} is given twice`)
    throw error
  }
}
