import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { CreatePersonalToken, PersonalToken } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import { type PersonalTokenRow, personalTokensOf } from '../../../store/access/people.ts'
import type { Tx } from '../../../store/database.ts'
import type { NewEvent } from '../../../store/events/events.ts'
import type { Change } from '../../execute.ts'
import { isoOrNull } from '../../features/feature-views.ts'
import { hashOf } from './tokens.ts'

const PREFIX = 'user:'
const SECRET_BYTES = 28
const DAY_MS = 86_400_000

/** Whether credentials look like a person's own token. */
export function isPersonal(secret: string): boolean {
  return secret.startsWith(PREFIX)
}

/** A person's own token as the admin API shows it: never its secret. */
export function personalTokenView(row: PersonalTokenRow): PersonalToken {
  return {
    id: row.id,
    userId: row.user_id,
    description: row.description,
    expiresAt: new Date(row.expires_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    seenAt: isoOrNull(row.seen_at),
  }
}

/** How many tokens a person may have, and how long they may be good. */
export interface PersonalTokenBounds {
  readonly most: number
  readonly lifetimeDays: number
}

/**
 * Adds a token of a person. The result holds its secret, for the only time. Throws ValidationError, also beyond the
 * bounds, and NameExistsError.
 */
export const createPersonalToken: Change<
  { userId: number; body: CreatePersonalToken; bounds: PersonalTokenBounds },
  { row: PersonalTokenRow; secret: string }
> = async (tx, { userId, body, bounds }, { now, random }) => {
  const expires_at = expiryOf(body, bounds, now)
  const own = await personalTokensOf(tx, userId)
  if (own.filter((row) => row.expires_at > now).length >= bounds.most) {
    throw invalid(`There are ${bounds.most} personal tokens already, which is the limit: remove one first.`, 'body')
  }
  if (own.some((row) => row.description === body.description)) {
    throw new Problem('NameExistsError', `There is already a token with the description "${body.description}".`)
  }
  const secret = `${PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('hex')}`
  const columns = { user_id: userId, description: body.description, hash: hashOf(secret), expires_at }
  const row = await tx
    .insertInto('personal_tokens')
    .values({ ...columns, created_at: now, seen_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { result: { row, secret }, events: [{ type: 'pat-created', data: personalTokenView(row) }] }
}

function expiryOf({ expiresAt }: CreatePersonalToken, { lifetimeDays }: PersonalTokenBounds, now: number): number {
  const time = Date.parse(expiresAt)
  if (Number.isNaN(time)) throw invalid('"expiresAt" must be a date and time', 'body/expiresAt')
  if (time <= now) throw invalid('"expiresAt" must be in the future', 'body/expiresAt')
  // a day more, for the clock of who asks may be ahead
  if (time <= now + (lifetimeDays + 1) * DAY_MS) return time
  const most = lifetimeDays === 1 ? '1 day' : `${lifetimeDays} days`
  throw invalid(`"expiresAt" must be within ${most}, as long as a personal token may be good here`, 'body/expiresAt')
}

/** Ends all tokens of a person; the result says which ones. */
export async function endPersonalTokens(tx: Tx, userId: number): Promise<NewEvent[]> {
  const own = await personalTokensOf(tx, userId)
  await tx.deleteFrom('personal_tokens').where('user_id', '=', userId).execute()
  return own.map((row) => ({ type: 'pat-deleted', preData: personalTokenView(row) }))
}

/** Removes a token of a person. Throws NotFoundError, also for somebody else's. */
export const removePersonalToken: Change<{ userId: number; id: number }, void> = async (tx, { userId, id }) => {
  const row = (await personalTokensOf(tx, userId)).find((one) => one.id === id)
  if (row === undefined) throw notFound(`There is no token with the id ${id}.`)
  await tx.deleteFrom('personal_tokens').where('id', '=', id).execute()
  return { result: undefined, events: [{ type: 'pat-deleted', preData: personalTokenView(row) }] }
}
