import { type Route, routesFor } from '@burgee/kit/route'
import { FeatureEvents } from '@burgee/protocol/event'
import Type from 'typebox'
import type { World } from '../services/world.ts'
import { eventsOfFeature } from '../store/events.ts'
import type { Access } from './auth.ts'

const route = routesFor<Access>()

/** History of a flag. Source: wire protocol */
export const eventRoutes = (world: World): Route<Access>[] => [
  route({
    method: 'GET',
    url: '/api/admin/events/:featureName',
    permission: null,
    tag: 'Events',
    summary: 'Events of one flag, newest first; none when there never was such a flag.',
    params: Type.Object({ featureName: Type.String() }),
    replies: { 200: { description: 'Events', schema: FeatureEvents } },
    problems: ['AuthenticationRequired'],
    handle: async ({ params }) => {
      const events = await eventsOfFeature(world.db.reader, params.featureName)
      return { version: 1, toggleName: params.featureName, events, totalEvents: events.length }
    },
  }),
]
