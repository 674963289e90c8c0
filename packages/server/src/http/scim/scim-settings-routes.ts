import { ScimSettings, ScimSettingsInput, ScimToken } from '@burgee/protocol/administration/scim'
import { execute } from '../../services/execute.ts'
import { putScimSettings, renewScimToken } from '../../services/scim/scim-access.ts'
import { GUARDED_LIST, WRITE } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'

const SETTINGS = '/api/admin/scim-settings'
const common = { permission: 'ADMIN', tag: 'Single sign-on' } as const
const settings = { 200: { description: 'Settings', schema: ScimSettings } }

/** Whether directories of people may keep people and groups here, and their token. Source: wire protocol */
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
]
