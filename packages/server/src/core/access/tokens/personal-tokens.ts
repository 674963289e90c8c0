import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { CreatePersonalToken, PersonalToken } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { listPersonalTokens, type PersonalTokenRow } from '@burgee/storage/queries/access/people'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Change } from '../../execute.ts'
import { isoOrNull } from '../../iso-time.ts'
import { hashSecret } from './tokens.ts'

const PREFIX = 'user:'
const SECRET_BYTES = 28
const DAY_MS = 86_400_000

/** Returns true if a secret has the format of a personal token. */
export function isPersonal(secret: string): boolean {
  return secret.startsWith(PREFIX)
}

/** Returns a personal token in the form of the admin API, without its secret. */
export function toPersonalToken(row: PersonalTokenRow): PersonalToken {
  return {
    id: row.id,
    userId: row.user_id,
    description: row.description,
    expiresAt: new Date(row.expires_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    seenAt: isoOrNull(row.seen_at),
  }
}

/** Maximum number of personal tokens per user, and their maximum lifetime. */
export interface PersonalTokenBounds {
  readonly max: number
  readonly lifetimeDays: number
}

/**
 * Creates a personal token. The result contains the secret, which cannot be read again. Throws NameExistsError, and
 * ValidationError for invalid input or if a limit is exceeded.
 */
export const createPersonalToken: Change<
  { userId: number; body: CreatePersonalToken; bounds: PersonalTokenBounds },
  { row: PersonalTokenRow; secret: string }
> = async (tx, { userId, body, bounds }, { now, random }) => {
  const expires_at = parseExpiry(body, bounds, now)
  const own = await listPersonalTokens(tx, userId)
  if (own.filter((row) => row.expires_at > now).length >= bounds.max) {
    throw invalid(`There are ${bounds.max} personal tokens already, the maximum: delete one first.`, 'body')
  }
  if (own.some((row) => row.description === body.description)) {
    throw new Problem('NameExistsError', `There is already a token with the description "${body.description}".`)
  }
  const secret = `${PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('hex')}`
  const columns = { user_id: userId, description: body.description, hash: hashSecret(secret), expires_at }
  const row = await tx
    .insertInto('personal_tokens')
    .values({ ...columns, created_at: now, seen_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { result: { row, secret }, events: [{ type: 'pat-created', data: toPersonalToken(row) }] }
}

function parseExpiry({ expiresAt }: CreatePersonalToken, { lifetimeDays }: PersonalTokenBounds, now: number): number {
  const time = Date.parse(expiresAt)
  if (Number.isNaN(time)) throw invalid('"expiresAt" must be a date and time', 'body/expiresAt')
  if (time <= now) throw invalid('"expiresAt" must be in the future', 'body/expiresAt')
  // allow one extra day, because the client's clock may be ahead
  if (time <= now + (lifetimeDays + 1) * DAY_MS) return time
  const most = lifetimeDays === 1 ? '1 day' : `${lifetimeDays} days`
  throw invalid(`"expiresAt" must be within ${most}, the maximum lifetime of a personal token here`, 'body/expiresAt')
}

/** Revokes all personal tokens of a user, or of several users, and returns the events. */
export async function revokePersonalTokens(tx: Tx, of: number | readonly number[]): Promise<NewEvent[]> {
  const own = await listPersonalTokens(tx, of)
  await tx
    .deleteFrom('personal_tokens')
    .where('user_id', 'in', typeof of === 'number' ? [of] : of)
    .execute()
  return own.map((row) => ({ type: 'pat-deleted', preData: toPersonalToken(row) }))
}

/** Removes a personal token. Throws NotFoundError if the user has no such token. */
export const removePersonalToken: Change<{ userId: number; id: number }, void> = async (tx, { userId, id }) => {
  const row = (await listPersonalTokens(tx, userId)).find((one) => one.id === id)
  if (row === undefined) throw notFound(`There is no token with the id ${id}.`)
  await tx.deleteFrom('personal_tokens').where('id', '=', id).execute()
  return { result: undefined, events: [{ type: 'pat-deleted', preData: toPersonalToken(row) }] }
}
