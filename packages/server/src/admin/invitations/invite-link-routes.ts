import { Reply } from '@burgee/kit/http/route'
import { User } from '@burgee/protocol/access'
import {
  CreateInviteLink,
  InviteLink,
  InviteLinks,
  Signup,
  UpdateInviteLink,
} from '@burgee/protocol/administration/invite-link'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import type { InviteLinkRow } from '@burgee/storage/queries/invitations/invite-links'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { inMaintenance } from '../../core/http/maintenance.ts'
import { GUARDED_LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { toUser } from '../access/people/users.ts'
import {
  createInviteLink,
  type LinkViews,
  readInviteLinks,
  readLinkContents,
  requireInviteLink,
  requireValidLink,
  signUp,
  toInviteLink,
  updateInviteLink,
} from './invite-links.ts'
import { toLinkGrantor } from './link-grantors.ts'

const LINKS = '/api/admin/invite-link/tokens'
const SIGNUP = '/invite/:token/signup'
const params = Type.Object({ token: Type.String({ maxLength: 200 }) })
const common = { permission: 'ADMIN', tag: 'Users' } as const
const one = { ...common, url: `${LINKS}/:token`, params } as const
const open = { permission: 'public', tag: 'Access', params } as const
const link = { 200: { description: 'The link', schema: InviteLink } }
const NO_PASSWORDS = 'Password logins are disabled: log in with OpenID Connect (/auth/oidc/login).'
const BAD_LINK = ['ValidationError', 'RateLimitError']

/**
 * Routes for invite links, which people use to create a read-only account. Source: wire protocol "public signup tokens"
 */
export const inviteLinkRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: LINKS,
    summary:
      'Lists all invite links, with the users who signed up with each; with their secrets if the server has an encryption key.',
    replies: { 200: { description: 'Links', schema: InviteLinks } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => ({
      tokens: await world.db.view((reader) => readInviteLinks(reader, toLinkViews(world))),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    url: LINKS,
    summary: 'Creates an invite link, valid for at most a month; users who sign up with it get read access.',
    description:
      'Users who sign up get `projectRoles` besides, except in archived projects, and except roles that the creator of ' +
      'the link can no longer grant. Users cannot grant a role with permissions that they lack.',
    body: CreateInviteLink,
    replies: { 201: { description: 'The link', schema: InviteLink } },
    problems: [...WRITE, 'ConflictError', 'InvalidOperationError'],
    handle: async ({ body, access }, world) => {
      const { name, expiresAt, projectRoles = [] } = body
      const grantor = toLinkGrantor(access.actor)
      const input = { name, expiresAt, projectRoles, giver: access.actor.grants, grantor }
      const { row, secret, roles } = await execute(world, access.actor, createInviteLink, input)
      return Reply.json(201, toInviteLink(row, { users: [], roles }, toLinkViews(world), secret))
    },
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'Returns an invite link.',
    replies: link,
    problems: REMOVE,
    handle: ({ params: { token } }, world) =>
      world.db.view(async (reader) => showInviteLink(reader, world, await requireInviteLink(reader, token))),
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Updates the expiry of an invite link, or disables or enables it.',
    body: UpdateInviteLink,
    replies: link,
    problems: WRITE,
    handle: async ({ params: { token }, body, access }, world) => {
      const row = await execute(world, access.actor, updateInviteLink, { secret: token, body })
      return world.db.view((reader) => showInviteLink(reader, world, row))
    },
  }),
  route({
    ...open,
    method: 'GET',
    url: '/invite/:token/validate',
    summary: 'Checks whether an invite link is valid.',
    first: (caller, { limits }) => limits.login(caller),
    replies: { 200: { description: 'One may' } },
    problems: BAD_LINK,
    handle: async ({ params: { token } }, world) => {
      await requireValidLink(world.db.reader, token, world.clock())
      return new Reply(200)
    },
  }),
  route({
    ...open,
    method: 'POST',
    url: SIGNUP,
    summary: 'Creates an account with read access, and the project roles of the invite link.',
    first: (caller, { limits }) => limits.createUser(caller),
    body: Signup,
    replies: { 201: { description: 'The user', schema: User } },
    problems: [...BAD_LINK, 'PasswordWeakError', 'ContentTypeerror', 'MaintenanceModeError', 'NoAccessError'],
    handle: async ({ params: { token: secret }, body, caller }, world) => {
      if (world.settings.isInMaintenance()) throw inMaintenance()
      if (world.signIn.isPasswordOff()) throw new Problem('NoAccessError', NO_PASSWORDS)
      const via = { method: 'POST', route: SIGNUP }
      const user = await signUp(world, { secret, body, address: world.callers.getAddress(caller), via })
      return Reply.json(201, toUser(user))
    },
  }),
]

async function showInviteLink(reader: Reader, world: HttpWorld, row: InviteLinkRow): Promise<InviteLink> {
  return toInviteLink(row, await readLinkContents(reader, row.id), toLinkViews(world))
}

function toLinkViews({ options, secrets }: HttpWorld): LinkViews {
  return { base: publicUrl(options), secrets }
}
