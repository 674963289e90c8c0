import { userById } from '../../../store/access/people.ts'
import { setting, type UserRow } from '../../../store/access/users.ts'
import type { Tx } from '../../../store/database.ts'
import { type Change, execute } from '../../execute.ts'
import { SYSTEM, type World } from '../../world.ts'
import type { FirstPassword, FirstPasswordUse } from './first-password.ts'
import { storePassword } from './user-admin.ts'

/** How the first administrator logs in, as long as that is to be said. */
export interface FirstLogin {
  readonly username: string
  /** Only where this start made it up. */
  readonly password: string | undefined
  /** Made up now, for the first time or anew; given by the configuration; made up by another server a moment ago. */
  readonly made: 'new' | 'anew' | 'configured' | 'elsewhere'
}

/** What the first start noted of its administrator: whether the password is still that one shows by its hash. */
export interface FirstAdmin {
  readonly userId: number
  readonly username: string
  readonly passwordHash: string
  /** By us, and not by the configuration. */
  readonly isMadeUp: boolean
  readonly madeAt: number
}

const FIRST_ADMIN = 'firstAdmin'
/** Servers that start together share one PostgreSQL: what one of them prints must not end what another has printed. */
const GOOD_AMONG_SERVERS_MS = 10 * 60_000

/** Notes the first administrator, in the place of an earlier note. */
export async function noteFirstAdmin(tx: Tx, admin: FirstAdmin): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', FIRST_ADMIN).execute()
  await tx
    .insertInto('settings')
    .values({ name: FIRST_ADMIN, value: JSON.stringify(admin) })
    .execute()
}

/** The note of the first start; undefined for databases that are older than such notes. */
export async function firstAdmin(reader: Parameters<typeof setting>[0]): Promise<FirstAdmin | undefined> {
  const stored = await setting(reader, FIRST_ADMIN)
  return stored === undefined ? undefined : (JSON.parse(stored) as FirstAdmin)
}

/**
 * The first login on a later start, as long as nobody has logged in: whoever made it up may have died before printing
 * it, or nobody read it. So the password is made anew, or becomes the configured one; an event says so. Among servers
 * on one PostgreSQL a young one is left alone. Undefined where there is nothing to say.
 */
export async function renewFirstLogin(world: World, own: FirstPassword): Promise<FirstLogin | undefined> {
  const open = await openLogin(world.db.reader)
  if (open === undefined) return undefined
  const { username } = open
  const { isMadeUp } = own
  if (isMadeUp && !isDue(world, open)) return { username, password: undefined, made: 'elsewhere' }
  const hash = await own.hashFor('anew')
  const isDone = await execute(world, SYSTEM, renew, { world, hash, isMadeUp })
  if (isDone) return loginBy(own, username, 'anew')
  // another server may have been first, or somebody has logged in since
  return (await openLogin(world.db.reader)) && { username, password: undefined, made: 'elsewhere' }
}

/** Returns the login by a password that this start has stored. */
export function loginBy(own: FirstPassword, username: string, use: FirstPasswordUse): FirstLogin {
  return { username, password: own.shown, made: own.isMadeUp ? use : 'configured' }
}

interface Renewal {
  readonly world: World
  readonly hash: string
  readonly isMadeUp: boolean
}

const renew: Change<Renewal, boolean> = async (tx, { world, hash, isMadeUp }, moment) => {
  const open = await openLogin(tx)
  if (open === undefined || (isMadeUp && !isDue(world, open))) return { result: false, events: [] }
  const { events } = await storePassword(tx, { id: open.userId, hash, mustChange: isMadeUp, endsTokens: false }, moment)
  await noteFirstAdmin(tx, { ...open, passwordHash: hash, isMadeUp, madeAt: moment.now })
  return { result: true, events }
}

/** The note, where the password is still the one that was made up and nobody has ever logged in. */
async function openLogin(reader: Parameters<typeof userById>[0]): Promise<FirstAdmin | undefined> {
  const noted = await firstAdmin(reader)
  if (noted?.isMadeUp !== true) return undefined
  const user: UserRow | undefined = await userById(reader, noted.userId)
  if (user?.password_hash !== noted.passwordHash) return undefined
  const seen = await reader
    .selectFrom('users')
    .select('id')
    .where('seen_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return seen === undefined ? noted : undefined
}

/** The embedded database has one server at a time, so nobody else's print is worth anything. */
function isDue({ db, clock }: World, { madeAt }: FirstAdmin): boolean {
  return db.kind === 'sqlite' || clock() - madeAt > GOOD_AMONG_SERVERS_MS
}
