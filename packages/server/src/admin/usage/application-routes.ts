import { Reply } from '@burgee/kit/http/route'
import { invalid } from '@burgee/kit/input/refusals'
import {
  ApplicationDetails,
  ApplicationInstances,
  ApplicationOverview,
  ApplicationSearch,
  Applications,
  DescribeApplication,
  OutdatedSdks,
} from '@burgee/protocol/application'
import { listInstances } from '@burgee/storage/queries/usage/applications'
import Type from 'typebox'
import { record } from '../../core/execute.ts'
import { LIST, READ, REMOVE, SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import { isName } from '../../delivery/usage/buffered-counts.ts'
import {
  describeApplication,
  readApplicationDetails,
  readApplicationOverview,
  readApplications,
  readOutdatedSdks,
  removeApplication,
} from './applications.ts'

const BASE = '/api/admin/metrics'
const common = { method: 'GET', permission: null, tag: 'Usage', problems: READ } as const
const ONE = `${BASE}/applications/:appName`
const params = Type.Object({ appName: Type.String() })

/** Routes for applications that have requested flags. Source: wire protocol */
export const applicationRoutes: Routes = [
  route({
    ...common,
    url: `${BASE}/applications`,
    summary: 'Lists applications, by name or another order, with environments and projects.',
    query: ApplicationSearch,
    replies: { 200: { description: 'Applications', schema: Applications } },
    problems: SEARCH,
    handle: ({ query, access: { actor } }, world) =>
      world.db.view((reader) => readApplications(reader, query, actor.hidden)),
  }),
  route({
    ...common,
    url: ONE,
    summary: 'Returns an application with its instances and flags.',
    params,
    replies: { 200: { description: 'The application', schema: ApplicationDetails } },
    handle: ({ params: { appName }, access: { actor } }, world) =>
      world.db.view((reader) => readApplicationDetails(reader, appName, actor.hidden)),
  }),
  route({
    ...common,
    url: `${BASE}/instances/:appName/environment/:environment`,
    summary: 'Lists instances of an application in an environment; empty for an unknown application.',
    params: Type.Object({ appName: Type.String(), environment: Type.String() }),
    replies: { 200: { description: 'Processes', schema: ApplicationInstances } },
    handle: async ({ params: { appName, environment }, access: { actor } }, world) => ({
      instances: await listInstances(world.db.reader, appName, { environment, hidden: actor.hidden }),
    }),
  }),
  route({
    ...common,
    url: `${ONE}/overview`,
    summary: 'Returns environments, flags and problems of an application.',
    params,
    replies: { 200: { description: 'The overview', schema: ApplicationOverview } },
    handle: ({ params: { appName }, access: { actor } }, world) =>
      world.db.view((reader) => readApplicationOverview(reader, appName, actor.hidden)),
  }),
  route({
    ...common,
    url: `${BASE}/sdks/outdated`,
    summary: 'Lists SDK versions that are older than other versions in use.',
    replies: { 200: { description: 'Versions with the applications that use them', schema: OutdatedSdks } },
    problems: LIST,
    handle: ({ access: { actor } }, world) => world.db.view((reader) => readOutdatedSdks(reader, actor.hidden)),
  }),
  route({
    method: 'POST',
    url: ONE,
    permission: 'UPDATE_APPLICATION',
    tag: 'Usage',
    summary: 'Updates description, link, color and icon of an application. Omitted fields keep their value.',
    params,
    body: DescribeApplication,
    replies: { 202: { description: 'Accepted' } },
    problems: WRITE,
    handle: async ({ params: { appName }, body, access: { actor } }, world) => {
      if (!isName(appName)) throw invalid('The name is too long, or cannot be stored.', 'params/appName')
      const { hidden } = actor
      await record(world, (tx) => describeApplication(tx, { appName, body, now: world.clock(), hidden }))
      return new Reply(202)
    },
  }),
  route({
    method: 'DELETE',
    url: ONE,
    permission: 'UPDATE_APPLICATION',
    tag: 'Usage',
    summary: 'Deletes an application and its instances, which reappear with the next report; usage is not deleted.',
    params,
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params: { appName }, access: { actor } }, world) => {
      await record(world, (tx) => removeApplication(tx, appName, actor.hidden))
      return new Reply(200)
    },
  }),
]
