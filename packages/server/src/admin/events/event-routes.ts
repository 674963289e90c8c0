import { FeatureEvents } from '@burgee/protocol/event'
import { countFeatureEvents, listFeatureEvents } from '@burgee/storage/queries/events/events'
import Type from 'typebox'
import { hasPermission } from '../../core/access/rights/rights.ts'
import { SEARCH } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'

/** Route that lists the events of a flag. Source: wire protocol */
export const eventRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/events/:featureName',
    permission: null,
    tag: 'Events',
    summary: 'Lists events of a flag, newest first; empty for an unknown flag.',
    description: 'Without `limit` and `offset`, returns all events. `totalEvents` always counts all events.',
    params: Type.Object({ featureName: Type.String() }),
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    }),
    replies: { 200: { description: 'Events', schema: FeatureEvents } },
    problems: SEARCH,
    handle: ({ params: { featureName }, query, access }, world) =>
      world.db.view(async (reader) => {
        const { hidden } = access.actor
        const page = { ...query, hidden, withAddress: hasPermission(access.actor, 'ADMIN') }
        return {
          version: 1,
          toggleName: featureName,
          events: await listFeatureEvents(reader, featureName, page),
          totalEvents: await countFeatureEvents(reader, featureName, hidden),
        }
      }),
  }),
]
