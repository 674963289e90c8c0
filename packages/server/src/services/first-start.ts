import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '../store/database.ts'
import { classifyDbError } from '../store/errors.ts'
import type { NewEvent } from '../store/events.ts'
import type { TokenType } from '../store/tokens.ts'
import { insertUser, setting } from '../store/users.ts'
import { type Change, execute, type Moment } from './execute.ts'
import { requireStrong } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import { createToken, type TokenPlan } from './tokens.ts'
import { userState } from './user-admin.ts'
import { SYSTEM, type World } from './world.ts'

/** What the first start makes, from the configuration. */
export interface FirstStart {
  readonly username: string
  /** None given: one is made up, to be changed at the first login. */
  readonly password: string | undefined
  readonly tokens: readonly InitToken[]
}

/** A token of the configuration, and how errors call it: `INIT_CLIENT_API_TOKENS: token 1`. */
export interface InitToken {
  readonly source: string
  readonly plan: TokenPlan
}

/** The login that was made; `password` only where it was made up here. */
export interface FirstLogin {
  readonly username: string
  readonly password: string | undefined
}

const INSTANCE_ID = 'instanceId'
const PASSWORD_BYTES = 15

/** Makes instance id, administrator and tokens, once in the life of a database. Undefined on any later start. */
export async function firstStart(
  world: World,
  passwords: Passwords,
  plan: FirstStart,
): Promise<FirstLogin | undefined> {
  if ((await setting(world.db.reader, INSTANCE_ID)) !== undefined) return undefined
  const given = plan.password === '' ? undefined : plan.password
  if (given !== undefined) warnOfWeak(world, given, plan.username)
  const password = given ?? Buffer.from(world.random(PASSWORD_BYTES)).toString('base64url')
  const passwordHash = await passwords.hash(password)
  const isNew = await execute(world, SYSTEM, initialise, { plan, passwordHash, mustChange: given === undefined })
  return isNew ? { username: plan.username, password: given === undefined ? password : undefined } : undefined
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
  readonly plan: FirstStart
  readonly passwordHash: string
  readonly mustChange: boolean
}

const initialise: Change<Initial, boolean> = async (tx, { plan, passwordHash, mustChange }, moment) => {
  // another process may have been first
  if ((await setting(tx, INSTANCE_ID)) !== undefined) return { result: false, events: [] }
  await tx.insertInto('settings').values({ name: INSTANCE_ID, value: moment.newId() }).execute()
  const row = {
    username: plan.username,
    email: null,
    name: null,
    password_hash: passwordHash,
    root_role: 1,
    must_change_password: Number(mustChange),
    login_attempts: 0,
    created_at: moment.now,
    seen_at: null,
  }
  const user: NewEvent = { type: 'user-created', data: userState({ id: await insertUser(tx, row), ...row }) }
  const events: NewEvent[] = [user]
  for (const token of plan.tokens) events.push(...(await makeToken(tx, token, moment)))
  return { result: true, events }
}

async function makeToken(tx: Tx, { plan, source }: InitToken, moment: Moment): Promise<readonly NewEvent[]> {
  try {
    return (await createToken(tx, plan, moment)).events
  } catch (error) {
    if (error instanceof Problem)
      throw new InitTokensError(`${source}: ${error.details?.[0]?.message ?? error.message}`)
    if (classifyDbError(error) === 'unique') throw new InitTokensError(`${source} is given twice`)
    throw error
  }
}

/** Bad tokens of the configuration; says which variable and position, never the secret. */
export class InitTokensError extends Error {
  override readonly name = 'InitTokensError'
}

/**
 * Reads the tokens to make at the first start: `<project>:<environment>.<secret>`, `*:<environment>.<secret>`,
 * `*:*.<secret>` for admin tokens. `variable` is named in errors. Throws InitTokensError with one line per bad token.
 */
export function parseInitTokens(variable: string, type: TokenType, secrets: readonly string[]): InitToken[] {
  const bad: string[] = []
  const tokens: InitToken[] = []
  for (const [index, secret] of secrets.entries()) {
    const parts = /^([^\s:]+):([^\s:.]+)\.(\S+)$/.exec(secret)
    const reason = parts === null ? 'must look like <project>:<environment>.<secret>' : scopeError(type, parts)
    const source = `${variable}: token ${index + 1}`
    if (parts === null || reason !== undefined) bad.push(`${source} ${reason}`)
    else {
      const [, project = '', environment = ''] = parts
      const plan = { name: 'admin', type, environment, projects: [project], expiresAt: null, secret }
      tokens.push({ source, plan })
    }
  }
  if (bad.length > 0) throw new InitTokensError(bad.join('\n'))
  return tokens
}

function scopeError(type: TokenType, [, project, environment]: readonly string[]): string | undefined {
  if (type === 'admin') {
    return project === '*' && environment === '*' ? undefined : 'is not an admin token: those are *:*.<secret>'
  }
  if (environment === '*') return `is not a ${type} token: those name one environment`
  if (project === '[]') return 'must name one project or *'
  return undefined
}
