import { Reply } from '@burgee/kit/http/route'
import { invalid, notFound } from '@burgee/kit/input/refusals'
import { PasswordBody, User } from '@burgee/protocol/access'
import {
  CreatedUser,
  CreateUser,
  FoundUsers,
  MatrixQuery,
  PermissionMatrix,
  SetPassword,
  UpdateUser,
  Users,
} from '@burgee/protocol/user'
import { findPersonById, listUsers } from '@burgee/storage/queries/access/people'
import { listRoles } from '@burgee/storage/queries/access/roles'
import type { UserRow } from '@burgee/storage/queries/access/users'
import Type from 'typebox'
import { requireStrong } from '../../core/access/passwords/password-rules.ts'
import { isRootType } from '../../core/access/rights/grants.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, GUARDED_SEARCH, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { DONE, parseId } from '../../core/http/route-parts.ts'
import { createUser, removeUser, setPassword, updateUser } from './people/user-admin.ts'
import { toUser } from './people/users.ts'
import { readPermissionMatrix } from './rights/permission-matrix.ts'

const USERS = '/api/admin/user-admin'
const common = { permission: 'ADMIN', tag: 'Users' } as const
const one = { ...common, url: `${USERS}/:userId`, params: Type.Object({ userId: Type.String() }) } as const
const user = { 200: { description: 'The user', schema: User } }

/** Routes for user administration. Source: wire protocol */
export const userAdminRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: USERS,
    summary: 'Lists users, and the available roles.',
    replies: { 200: { description: 'Users', schema: Users } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => {
      await world.failedLogins.settled()
      return {
        users: (await listUsers(world.db.reader)).map(toUser),
        rootRoles: (await listRoles(world.db.reader)).filter(({ type }) => isRootType(type)),
      }
    },
  }),
  route({
    ...common,
    method: 'GET',
    url: `${USERS}/search`,
    summary: 'Lists users whose name, username or e-mail address contains the search text of at least two characters.',
    query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 200 })) }),
    replies: { 200: { description: 'Users', schema: FoundUsers } },
    problems: GUARDED_SEARCH,
    handle: async ({ query }, world) => {
      const wanted = (query.q ?? '').toLowerCase()
      const found = wanted.length < 2 ? [] : await listUsers(world.db.reader)
      return found
        .filter((row) => [row.username, row.email, row.name].some((text) => text?.toLowerCase().includes(wanted)))
        .map(toUser)
        .map(
          ({ loginAttempts: _attempts, createdAt: _born, rootRole: _role, mustChangePassword: _must, ...found }) =>
            found,
        )
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: USERS,
    summary:
      'Adds a user. Without a password, the response contains a link to set one; the link is also sent by e-mail if a mail server is configured, unless `sendEmail` is false.',
    description: 'Grants `projectRoles` with the account. Users cannot grant a role with permissions that they lack.',
    first: (caller, { limits }) => limits.createUser(caller),
    body: CreateUser,
    replies: { 201: { description: 'The user', schema: CreatedUser } },
    problems: [...WRITE, 'PasswordWeakError', 'NameExistsError', 'InvalidOperationError', 'RateLimitError'],
    handle: async ({ body, access }, world) => {
      const { user, invitation } = await createUser(world, access.actor, body)
      const inviteLink =
        invitation === undefined ? undefined : `${publicUrl(world.options)}/new-user?token=${invitation}`
      const emailSent = body.sendEmail !== false && inviteLink !== undefined && isInvited(world, user, inviteLink)
      const link = inviteLink === undefined ? {} : { inviteLink }
      return Reply.json(201, { ...toUser(user), emailSent, ...link }, { location: String(user.id) })
    },
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'Returns a user.',
    replies: user,
    problems: REMOVE,
    handle: async ({ params }, world) => {
      const id = parseUserId(params)
      await world.failedLogins.settled()
      const row = await findPersonById(world.db.reader, id)
      if (row === undefined) throw notFound(`There is no user with the id ${id}.`)
      return toUser(row)
    },
  }),
  route({
    ...one,
    method: 'GET',
    url: `${USERS}/:userId/permissions`,
    summary: 'Lists the permissions of a user: global, in a project, and in an environment of the project.',
    query: MatrixQuery,
    replies: { 200: { description: 'All permissions', schema: PermissionMatrix } },
    problems: [...REMOVE, 'ValidationError'],
    handle: ({ params, query }, world) =>
      world.db.view((reader) => readPermissionMatrix(reader, { userId: parseUserId(params), ...query })),
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Updates a user; the last administrator cannot lose the role.',
    body: UpdateUser,
    replies: user,
    problems: [...WRITE, 'NameExistsError', 'ConflictError'],
    handle: async ({ params, body, access }, world) =>
      toUser(await execute(world, access.actor, updateUser, { id: parseUserId(params), body })),
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a user with their sessions and tokens. The last administrator cannot be deleted.',
    replies: DONE,
    problems: [...REMOVE, 'ConflictError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeUser, { id: parseUserId(params) })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'POST',
    url: `${USERS}/:userId/change-password`,
    summary:
      "Sets a user's password, ends the user's sessions and, unless requested otherwise, deletes the personal tokens.",
    body: SetPassword,
    replies: DONE,
    problems: [...WRITE, 'PasswordWeakError'],
    handle: async ({ params, body, access }, world) => {
      const { password, confirmPassword = password } = body
      if (confirmPassword !== password) throw invalid('The two new passwords differ', 'body/confirmPassword')
      await setPassword(world, access.actor, {
        id: parseUserId(params),
        password,
        mustChange: body.mustChangePassword,
        endsTokens: body.deletePersonalTokens ?? true,
      })
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: `${USERS}/validate-password`,
    summary: 'Checks whether a password is strong enough.',
    body: PasswordBody,
    replies: { 200: { description: 'Valid' } },
    problems: [...WRITE, 'PasswordWeakError'],
    handle: ({ body }) => {
      requireStrong(body.password)
      return new Reply(200)
    },
  }),
]

function isInvited({ mails }: HttpWorld, { name, email }: UserRow, link: string): boolean {
  return email !== null && mails?.invite({ name, email }, link) === true
}

function parseUserId({ userId }: { readonly userId: string }): number {
  return parseId(userId, 'user')
}
