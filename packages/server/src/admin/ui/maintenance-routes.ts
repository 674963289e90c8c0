import { Reply } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import { MaintenanceMode } from '@burgee/protocol/ui-config'
import { execute } from '../../core/execute.ts'
import { MAINTENANCE } from '../../core/http/maintenance.ts'
import { GUARDED_LIST, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { setMaintenance } from '../../core/settings.ts'

const FIXED =
  'The option MAINTENANCE_MODE keeps the server in maintenance mode: to end it, restart the server without the option.'
const common = { url: MAINTENANCE, permission: 'ADMIN', tag: 'System' } as const

/** Routes for maintenance mode, which makes the admin API read-only. Source: wire protocol */
export const maintenanceRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    summary: 'Returns whether maintenance mode is on.',
    replies: { 200: { description: 'The mode', schema: MaintenanceMode } },
    problems: GUARDED_LIST,
    handle: (_input, { settings }) => ({ enabled: settings.isInMaintenance() }),
  }),
  route({
    ...common,
    method: 'POST',
    summary: 'Turns maintenance mode on or off: while it is on, changes of the admin API return 503.',
    body: MaintenanceMode,
    replies: { 204: { description: 'Done' } },
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ body, access }, world) => {
      if (world.options.maintenanceMode && !body.enabled) throw new Problem('InvalidOperationError', FIXED)
      await execute(world, access.actor, setMaintenance, body)
      return new Reply(204)
    },
  }),
]
