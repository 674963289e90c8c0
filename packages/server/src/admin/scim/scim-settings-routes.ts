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
    summary: 'Whether a directory of people may come by SCIM, and whether there is a token for it.',
    replies: settings,
    problems: GUARDED_LIST,
    handle: (_input, { scim }) => scim.settings(),
  }),
  route({
    ...common,
    method: 'POST',
    url: SETTINGS,
    summary: 'Lets a directory of people come by SCIM, or none.',
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
    summary: 'Makes a token for SCIM; the one before stops working at once. It is in this reply and nowhere else.',
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
    summary: 'Removes everybody whom a directory keeps, with sessions and tokens, all or none; an admin must be left.',
    handle: async ({ access }, world) => {
      await execute(world, access.actor, removeScimUsers, undefined)
      return new Reply(200)
    },
  }),
  route({
    ...removal,
    url: '/api/admin/groups/scim-groups',
    tag: 'Groups',
    summary: 'Removes all groups that a directory keeps, and what people have by them; an admin must be left.',
    handle: async ({ access }, world) => {
      await execute(world, access.actor, removeScimGroups, undefined)
      return new Reply(200)
    },
  }),
]
