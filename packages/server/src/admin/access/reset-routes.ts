import { Reply } from '@burgee/kit/http/route'
import { PasswordBody, RequestReset, ResetLink, ResetLinkUser, ResetMail, ResetPassword } from '@burgee/protocol/access'
import { Problem, ProblemBody } from '@burgee/protocol/problem'
import { findRoleById } from '@burgee/storage/queries/access/roles'
import Type from 'typebox'
import { requireStrong } from '../../core/access/passwords/password-rules.ts'
import type { SystemActor } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { WRITE } from '../../core/http/problem-lists.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { toGuessProblem, tooMany } from '../../core/http/rate-limit-replies.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import { SYSTEM } from '../../core/world.ts'
import { requestReset, requireLinkOwner, resetPassword } from './people/password-reset.ts'
import { toUser } from './people/users.ts'

const RESET = '/auth/reset'
const MAIL = { method: 'POST', route: `${RESET}/password-email` } as const
const common = { permission: 'public', tag: 'Access' } as const
const BODY = ['ValidationError', 'ContentTypeerror', 'RateLimitError']
/**
 * Reply if there is no mail server. The reply is the same for every address, so that it does not reveal which addresses
 * have an account.
 */
const NO_MAIL =
  'This server sends no e-mail. Ask an administrator for a link: POST /api/admin/user-admin/reset-password creates one.'
const NO_PASSWORDS = 'Password logins are disabled: log in with OpenID Connect (/auth/oidc/login).'

/** Routes for password-reset links. Source: wire protocol */
export const resetRoutes: Routes = [
  route({
    method: 'POST',
    url: '/api/admin/user-admin/reset-password',
    permission: 'ADMIN',
    tag: 'Users',
    summary: 'Creates a password-reset link for a user; it works once and expires in 24 hours.',
    body: RequestReset,
    replies: { 200: { description: 'The link; only this response contains it', schema: ResetLink } },
    problems: WRITE,
    handle: async ({ body, access }, world) => {
      const token = await execute(world, access.actor, requestReset, {
        login: body.id,
        endsTokens: body.deletePersonalTokens ?? true,
      })
      return { resetPasswordUrl: `${publicUrl(world.options)}/reset-password?token=${token}` }
    },
  }),
  route({
    ...common,
    method: 'GET',
    url: `${RESET}/validate`,
    summary: 'Returns the user of a password-reset link.',
    query: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    replies: { 200: { description: 'The user of the link', schema: ResetLinkUser } },
    problems: ['ValidationError', 'InvalidTokenError', 'RateLimitError'],
    handle: async ({ query: { token }, caller }, world) => {
      const user = await requireLinkOwner(world, token).catch((error) => {
        throw error instanceof Problem ? toGuessProblem(error, world.limits.wrongToken(caller)) : error
      })
      const { id, name, username, email } = toUser(user)
      return {
        id,
        name,
        username,
        email,
        token,
        createdBy: user.created_by,
        role: await findRoleById(world.db.reader, user.root_role),
      }
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: `${RESET}/validate-password`,
    summary: 'Checks whether a password is strong enough.',
    body: PasswordBody,
    replies: DONE,
    problems: ['ValidationError', 'ContentTypeerror', 'PasswordWeakError'],
    handle: ({ body }) => {
      requireStrong(body.password)
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: `${RESET}/password`,
    summary: 'Sets a password with a reset link, which then expires, and ends all sessions of the user.',
    first: (caller, { limits }) => limits.passwordReset(caller),
    body: ResetPassword,
    replies: DONE,
    problems: [...BODY, 'InvalidTokenError', 'NoAccessError', 'PasswordWeakError'],
    handle: async ({ body: { token, password }, caller }, world) => {
      if (world.signIn.isPasswordOff()) throw new Problem('NoAccessError', NO_PASSWORDS)
      const via = { method: 'POST', route: `${RESET}/password` }
      await resetPassword(world, { token, password, address: world.callers.getAddress(caller), via })
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: MAIL.route,
    summary:
      'Sends a link to the user with this e-mail address. The response is the same for every address; it states if no mail server is configured.',
    first: (caller, { limits }) => limits.passwordReset(caller),
    body: ResetMail,
    replies: { ...DONE, 404: { description: 'No e-mail was sent', schema: ProblemBody } },
    problems: BODY,
    handle: ({ body: { email }, caller }, { mails, limits, callers, signIn }) => {
      if (mails === undefined || signIn.isPasswordOff()) throw new Problem('NotFoundError', NO_MAIL)
      const taken = limits.email(email)
      if (taken.waitMs > 0) return tooMany(taken)
      const address = callers.getAddress(caller)
      const author: SystemActor = { ...SYSTEM, name: 'forgotten password', address, via: MAIL }
      mails.reset(email, author)
      return new Reply(200)
    },
  }),
]
