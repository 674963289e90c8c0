import { Reply } from '@burgee/kit/http/route'
import { invalid } from '@burgee/kit/input/refusals'
import {
  ChangePassword,
  CreateFeedback,
  CreatePersonalToken,
  CurrentUser,
  Feedback,
  NewPersonalToken,
  PersonalTokens,
  Splash,
  UpdateFeedback,
} from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import { listDismissedSplashes, listFeedback, listPersonalTokens } from '@burgee/storage/queries/access/people'
import { readProjectEnvironmentNames } from '@burgee/storage/queries/projects/projects'
import Type from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { listPermissions } from '../../core/access/rights/listed-permissions.ts'
import { createPersonalToken, removePersonalToken, toPersonalToken } from '../../core/access/tokens/personal-tokens.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, parseId, requirePerson } from '../../core/http/route-parts.ts'
import { isoOrNull } from '../../core/iso-time.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { checkCurrentPassword } from './current-password.ts'
import { recordFeedback, recordSplash } from './people/own-notes.ts'
import { setPassword } from './people/user-admin.ts'
import { toUser } from './people/users.ts'
import { profileRoutes } from './profile-routes.ts'

const USER = '/api/admin/user'
/**
 * Message for personal tokens. A personal token cannot create tokens or change the password, because someone who has
 * stolen the token would then keep access even after the token is revoked.
 */
const NOT_BY_TOKEN = 'A personal token cannot create personal tokens: log in with a password to create one.'
const mine = { permission: null, tag: 'Me', problems: [...WRITE, 'InvalidOperationError'] } as const

const feedback = { 200: { description: 'The feedback record', schema: Feedback } }
const NoteParams = Type.Object({ id: Type.String({ maxLength: 100 }) })

/** Routes of the current user: identity, password, personal tokens, feedback and splash pages. Source: wire protocol */
export const userRoutes: Routes = [
  route({
    method: 'GET',
    url: USER,
    permission: null,
    tag: 'Me',
    summary: 'Returns the current user with permissions.',
    replies: { 200: { description: 'The current user', schema: CurrentUser } },
    problems: GUARDED_LIST,
    handle: ({ access: { actor } }, world) =>
      world.db.view(async (reader) => {
        const permissions = listPermissions(actor, await readProjectEnvironmentNames(reader))
        const { user } = actor
        if (user === undefined) return { user: tokenUser(actor), permissions, feedback: [], splash: {} }
        const seen = await listDismissedSplashes(reader, user.id)
        return {
          user: toUser(user),
          permissions,
          feedback: (await listFeedback(reader, user.id)).map(feedbackView),
          splash: Object.fromEntries(seen.map((id) => [id, true])),
        }
      }),
  }),
  ...profileRoutes,
  route({
    ...mine,
    method: 'POST',
    url: `${USER}/change-password`,
    summary:
      'Changes the password of the current user, ends the other sessions, and optionally deletes personal tokens.',
    body: ChangePassword,
    replies: DONE,
    problems: [...mine.problems, 'PasswordMismatch', 'PasswordWeakError', 'RateLimitError'],
    handle: async ({ body, access }, world) => {
      const user = requirePerson(access)
      const { oldPassword, password, confirmPassword = password, deletePersonalTokens: endsTokens = false } = body
      if (confirmPassword !== password) throw invalid('The two new passwords differ', 'body/confirmPassword')
      const limited = await checkCurrentPassword(world, access.actor, user, oldPassword)
      if (limited !== undefined) return limited
      if (oldPassword === password) throw invalid('The new password equals the old one', 'body/password')
      await setPassword(world, access.actor, {
        id: user.id,
        password,
        keep: access.actor.session,
        endsTokens,
        checked: user.password_hash,
      })
      return new Reply(200)
    },
  }),
  route({
    ...mine,
    method: 'GET',
    url: `${USER}/tokens`,
    summary: 'Lists personal tokens of the current user, without their secrets.',
    replies: { 200: { description: 'Tokens', schema: PersonalTokens } },
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ access }, world) => ({
      pats: (await listPersonalTokens(world.db.reader, requirePerson(access).id)).map(toPersonalToken),
    }),
  }),
  route({
    ...mine,
    method: 'POST',
    url: `${USER}/tokens`,
    summary: 'Creates a personal token; only this response contains its secret. Not allowed with a personal token.',
    body: CreatePersonalToken,
    replies: { 201: { description: 'The token with its secret', schema: NewPersonalToken } },
    problems: [...mine.problems, 'NameExistsError'],
    handle: async ({ body, access }, world) => {
      const { personalTokensLimit: max, personalTokenLifetimeDays: lifetimeDays } = world.options
      const input = { userId: requirePerson(access).id, body, bounds: { max, lifetimeDays } }
      if (access.actor.personalToken !== undefined) throw new Problem('NoAccessError', NOT_BY_TOKEN)
      const { row, secret } = await execute(world, access.actor, createPersonalToken, input)
      return Reply.json(201, { ...toPersonalToken(row), secret })
    },
  }),
  route({
    ...mine,
    method: 'DELETE',
    url: `${USER}/tokens/:id`,
    summary: 'Deletes a personal token of the current user; it stops working at once.',
    params: Type.Object({ id: Type.String() }),
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params, access }, world) => {
      const input = { userId: requirePerson(access).id, id: parseId(params.id, 'token') }
      await execute(world, access.actor, removePersonalToken, input)
      return new Reply(200)
    },
  }),
  route({
    ...mine,
    method: 'POST',
    url: '/api/admin/feedback',
    summary: 'Records that the current user was asked for feedback.',
    body: CreateFeedback,
    replies: feedback,
    handle: ({ body, access }, world) => saveFeedback(world, access, body.feedbackId, body.neverShow),
  }),
  route({
    ...mine,
    method: 'PUT',
    url: '/api/admin/feedback/:id',
    summary: 'Updates the record that the current user was asked for feedback.',
    params: NoteParams,
    body: UpdateFeedback,
    replies: feedback,
    handle: ({ params, body, access }, world) => saveFeedback(world, access, params.id, body.neverShow),
  }),
  route({
    ...mine,
    method: 'POST',
    url: '/api/admin/splash/:id',
    summary: 'Records that the current user has seen a page.',
    params: NoteParams,
    replies: { 200: { description: 'Accepted', schema: Splash } },
    handle: async ({ params, access }, world) => {
      const { id: userId } = requirePerson(access)
      await recordSplash(world, userId, params.id)
      return { userId, splashId: params.id, seen: true }
    },
  }),
]

async function saveFeedback(
  world: ServerWorld,
  access: Access,
  feedbackId: string,
  neverShow = false,
): Promise<Feedback> {
  const row = {
    user_id: requirePerson(access).id,
    feedback_id: feedbackId,
    never_show: Number(neverShow),
    given: world.clock(),
  }
  await recordFeedback(world, row)
  return feedbackView(row)
}

function feedbackView(row: Awaited<ReturnType<typeof listFeedback>>[number]): Feedback {
  const { user_id: userId, feedback_id: feedbackId, never_show, given } = row
  return { userId, feedbackId, neverShow: never_show === 1, given: isoOrNull(given) }
}

/** Returns the identity behind an admin token in the form of a user. Never contains the token's secret. */
function tokenUser({ name, userId }: Access['actor']) {
  return {
    isAPI: true,
    id: userId,
    username: name,
    permissions: ['ADMIN'],
    environment: '*',
    type: 'admin',
    projects: ['*'],
    internalAdminTokenUserId: userId,
  }
}
