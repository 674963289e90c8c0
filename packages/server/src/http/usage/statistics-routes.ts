import { type Route, routesFor } from '@burgee/kit/http/route'
import { InstanceStatistics } from '@burgee/protocol/statistics'
import { countEverything } from '../../services/projects/statistics.ts'
import type { ServerWorld } from '../../services/server-world.ts'
import { VERSION, WIRE_VERSION } from '../../version.ts'
import type { Access } from '../access/auth.ts'

const route = routesFor<Access>()

/** What this installation is and holds. Source: wire protocol */
export const statisticsRoutes = (world: ServerWorld): Route<Access>[] => [
  route({
    method: 'GET',
    url: '/api/admin/instance-admin/statistics',
    permission: null,
    tag: 'System',
    summary: 'What this server is, how much it holds, and which SDKs talk to it.',
    replies: { 200: { description: 'Counts', schema: InstanceStatistics } },
    problems: ['AuthenticationRequired'],
    handle: async () => ({
      instanceId: world.settings.instanceId(),
      version: VERSION,
      versionOSS: WIRE_VERSION,
      database: world.db.kind,
      ...(await world.db.view((reader) => countEverything(reader, world.clock()))),
    }),
  }),
]
