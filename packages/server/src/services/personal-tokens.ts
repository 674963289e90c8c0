import type { CreatePersonalToken, PersonalToken } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import { type PersonalTokenRow, personalTokensOf } from '../store/people.ts'
import type { Change } from './execute.ts'
import { isoOrNull } from './feature-views.ts'
import { invalid, notFound } from './refusals.ts'
import { hashOf } from './tokens.ts'

const PREFIX = 'user:'
const SECRET_BYTES = 28

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

/** Adds a token of a person. The result holds its secret, for the only time. Throws ValidationError, NameExistsError. */
export const createPersonalToken: Change<
  { userId: number; body: CreatePersonalToken },
  { row: PersonalTokenRow; secret: string }
> = async (tx, { userId, body }, { now, random }) => {
  const expires_at = Date.parse(body.expiresAt)
  if (Number.isNaN(expires_at)) throw invalid('"expiresAt" must be a date and time', 'body/expiresAt')
  if (expires_at <= now) throw invalid('"expiresAt" must be in the future', 'body/expiresAt')
  const own = await personalTokensOf(tx, userId)
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

/** Removes a token of a person. Throws NotFoundError, also for somebody else's. */
export const removePersonalToken: Change<{ userId: number; id: number }, void> = async (tx, { userId, id }) => {
  const row = (await personalTokensOf(tx, userId)).find((one) => one.id === id)
  if (row === undefined) throw notFound(`There is no token with the id ${id}.`)
  await tx.deleteFrom('personal_tokens').where('id', '=', id).execute()
  return { result: undefined, events: [{ type: 'pat-deleted', preData: personalTokenView(row) }] }
}
