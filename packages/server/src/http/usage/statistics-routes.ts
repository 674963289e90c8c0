import { InstanceStatistics } from '@burgee/protocol/statistics'
import type { ServerOptions } from '../../options.ts'
import { countEverything } from '../../services/projects/statistics.ts'
import { VERSION, WIRE_VERSION } from '../../version.ts'
import { LIST } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'

/** What this installation is and holds. Source: wire protocol */
export const statisticsRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/instance-admin/statistics',
    permission: null,
    tag: 'System',
    summary: 'What this server is, how much it holds, and which SDKs talk to it.',
    replies: { 200: { description: 'Counts', schema: InstanceStatistics } },
    problems: LIST,
    handle: async (_input, world) => ({
      instanceId: world.settings.instanceId(),
      version: VERSION,
      versionOSS: WIRE_VERSION,
      database: world.db.kind,
      retentionDays: retentionOf(world.options),
      ...(await world.db.scan((reader) => countEverything(reader, world.clock()))),
    }),
  }),
]

function retentionOf(options: ServerOptions): InstanceStatistics['retentionDays'] {
  return {
    events: options.eventRetentionDays,
    hourlyUsage: options.hourlyUsageRetentionDays,
    usage: options.usageRetentionDays,
    unseen: options.unseenRetentionDays,
    expiredTokens: options.expiredTokenRetentionDays,
  }
}
