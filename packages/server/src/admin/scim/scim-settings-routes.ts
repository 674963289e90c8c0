import { Reply } from '@burgee/kit/http/route'
import { ScimSettings, ScimSettingsInput, ScimToken } from '@burgee/protocol/administration/scim'
import { putScimSettings, renewScimToken } from '../../core/access/scim-access.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import { removeScimGroups } from './scim-groups.ts'
import { removeScimUsers } from './scim-users.ts'

const SETTINGS = '/api/admin/scim-settings'
const common = { permission: 'ADMIN', tag: 'Single sign-on' } as const
const settings = { 200: { description: 'Settings', schema: ScimSettings } }
const removal = { ...common, method: 'DELETE', replies: DONE, problems: [...GUARDED_LIST, 'ConflictError'] } as const

/** Routes for the SCIM settings and the SCIM token. Source: wire protocol */
export const scimSettingsRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: SETTINGS,
    summary: 'Returns whether SCIM is enabled, and whether it has a token.',
    replies: settings,
    problems: GUARDED_LIST,
    handle: (_input, { scim }) => scim.settings(),
  }),
  route({
    ...common,
    method: 'POST',
    url: SETTINGS,
    summary: 'Enables or disables SCIM.',
    body: ScimSettingsInput,
    replies: settings,
    problems: WRITE,
    handle: async ({ body, access }, world) => {
      await execute(world, access.actor, putScimSettings, body)
      await world.scim.read()
      return world.scim.settings()
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: `${SETTINGS}/generate-new-token`,
    summary: 'Creates a SCIM token and revokes the previous one at once; only this response contains it.',
    replies: { 200: { description: 'The token', schema: ScimToken } },
    problems: GUARDED_LIST,
    handle: async ({ access }, world) => {
      const token = await execute(world, access.actor, renewScimToken, undefined)
      await world.scim.read()
      return { token }
    },
  }),
  route({
    ...removal,
    url: '/api/admin/user-admin/scim-users',
    tag: 'Users',
    summary: 'Deletes all users managed by SCIM, with sessions and tokens, atomically; an administrator must remain.',
    handle: async ({ access }, world) => {
      await execute(world, access.actor, removeScimUsers, undefined)
      return new Reply(200)
    },
  }),
  route({
    ...removal,
    url: '/api/admin/groups/scim-groups',
    tag: 'Groups',
    summary:
      'Deletes all groups managed by SCIM, and the roles that members have through them; an administrator must remain.',
    handle: async ({ access }, world) => {
      await execute(world, access.actor, removeScimGroups, undefined)
      return new Reply(200)
    },
  }),
]
