import { type Route, routesFor } from '@burgee/kit/route'
import { ApplicationDetails, ApplicationInstances, Applications } from '@burgee/protocol/application'
import Type from 'typebox'
import { notFound } from '../services/refusals.ts'
import type { World } from '../services/world.ts'
import { applicationNamed, instancesOf, listApplications } from '../store/applications.ts'
import type { Access } from './auth.ts'
import { READ } from './route-parts.ts'

const route = routesFor<Access>()
const BASE = '/api/admin/metrics'
const common = { method: 'GET', permission: null, tag: 'Usage', problems: READ } as const
const DEFAULT_LIMIT = 1000

/** Applications that have asked for flags. Source: wire protocol */
export const applicationRoutes = (world: World): Route<Access>[] => [
  route({
    ...common,
    url: `${BASE}/applications`,
    summary: 'Applications by name, with where they run.',
    query: Type.Object({
      query: Type.Optional(Type.String({ maxLength: 500 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    replies: { 200: { description: 'Applications', schema: Applications } },
    problems: ['ValidationError', 'AuthenticationRequired'],
    handle: ({ query: { query: text = '', offset = 0, limit = DEFAULT_LIMIT } }) =>
      world.db.view((reader) => listApplications(reader, { text, offset, limit })),
  }),
  route({
    ...common,
    url: `${BASE}/applications/:appName`,
    summary: 'One application, with its processes and the flags it asks for.',
    params: Type.Object({ appName: Type.String() }),
    replies: { 200: { description: 'The application', schema: ApplicationDetails } },
    handle: async ({ params: { appName } }) => {
      const found = await world.db.view((reader) => applicationNamed(reader, appName))
      if (found === undefined) throw notFound(`There is no application "${appName}".`)
      return found
    },
  }),
  route({
    ...common,
    url: `${BASE}/instances/:appName/environment/:environment`,
    summary: 'Processes of an application in an environment; none of an unknown one.',
    params: Type.Object({ appName: Type.String(), environment: Type.String() }),
    replies: { 200: { description: 'Processes', schema: ApplicationInstances } },
    handle: async ({ params }) => ({
      instances: await instancesOf(world.db.reader, params.appName, params.environment),
    }),
  }),
]
