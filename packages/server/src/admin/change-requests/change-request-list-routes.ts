import { Reply } from '@burgee/kit/http/route'
import {
  ActionableCount,
  ChangeRequest,
  ChangeRequestConfig,
  ChangeRequestConfigInput,
  ChangeRequestCounts,
  ChangeRequestSearch,
  FoundChangeRequests,
  ListedChangeRequest,
  ScheduledRequests,
} from '@burgee/protocol/administration/change-request'
import type { Reader } from '@burgee/storage/database'
import { listRequestRows, type RequestFilter, type RequestRow } from '@burgee/storage/queries/change-requests/requests'
import Type from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { execute } from '../../core/execute.ts'
import { READ, SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { ProjectParams } from '../../core/http/route-parts.ts'
import { requireProject } from '../../core/project-ref.ts'
import { REQUESTS } from './change-request-routes.ts'
import { configureChangeRequests, readChangeRequestConfig } from './change-request-settings.ts'
import { countActionable, countRequests, MAX_LISTED, searchRequests } from './request-lists.ts'
import { OPEN_STATES } from './request-ref.ts'
import { readRequestOutlines, readRequestViews } from './views.ts'

const list = { method: 'GET', permission: null, tag: 'Change requests', params: ProjectParams, problems: READ } as const
const description = 'Change requests, newest first'
const whole = { 200: { description, schema: Type.Array(ChangeRequest) } } as const
const outlines = { 200: { description, schema: Type.Array(ListedChangeRequest) } } as const
const WHOLE = 'Returns the newest change requests, up to a total of 5 million characters of payloads and comments.'
const OUTLINED = 'The list omits payloads and comments; request a change request by its id to get them.'

/** Returns the newest 300 change requests of a project, each converted by `show`. Leaves out drafts of other users. */
function listRequests<Shown>(
  world: HttpWorld,
  { actor }: Access,
  filter: RequestFilter & { readonly project: string },
  show: (reader: Reader, rows: readonly RequestRow[]) => Promise<Shown[]>,
) {
  return world.db.view(async (reader) => {
    await requireProject(reader, filter.project)
    return show(reader, await listRequestRows(reader, filter, { asker: actor.userId, limit: MAX_LISTED }))
  })
}

/** Routes that configure change requests, and routes that list change requests. Source: wire protocol */
export const changeRequestListRoutes: Routes = [
  route({
    ...list,
    url: `${REQUESTS}/config`,
    summary: 'Lists the environments of a project that require change requests, and the required approvals.',
    replies: { 200: { description: 'Environments', schema: Type.Array(ChangeRequestConfig) } },
    handle: ({ params }, world) => world.db.view((reader) => readChangeRequestConfig(reader, params.projectId)),
  }),
  route({
    method: 'PUT',
    url: '/api/admin/projects/:projectId/environments/:environment/change-requests/config',
    permission: 'PROJECT_CHANGE_REQUEST_WRITE',
    tag: 'Change requests',
    summary: 'Sets whether an environment requires change requests, and the required approvals.',
    description: 'An omitted number keeps its value. Open change requests continue with the new number.',
    params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
    body: ChangeRequestConfigInput,
    replies: { 204: { description: 'Done' } },
    problems: WRITE,
    handle: async ({ params: { projectId: project, environment }, body, access }, world) => {
      await execute(world, access.actor, configureChangeRequests, { project, environment, body })
      return new Reply(204)
    },
  }),
  route({
    ...list,
    url: REQUESTS,
    summary: 'Lists the newest 300 change requests of a project; drafts only of the current user.',
    description: OUTLINED,
    replies: outlines,
    handle: ({ params: { projectId: project }, access }, world) =>
      listRequests(world, access, { project }, readRequestOutlines),
  }),
  route({
    ...list,
    url: `${REQUESTS}/open`,
    summary: 'Lists open change requests.',
    description: OUTLINED,
    replies: outlines,
    handle: ({ params: { projectId: project }, access }, world) =>
      listRequests(world, access, { project, states: OPEN_STATES }, readRequestOutlines),
  }),
  route({
    ...list,
    url: `${REQUESTS}/pending`,
    summary: 'Lists open change requests of the current user.',
    description: WHOLE,
    replies: whole,
    handle: ({ params: { projectId: project }, access }, world) =>
      listRequests(world, access, { project, states: OPEN_STATES, createdBy: access.actor.userId }, readRequestViews),
  }),
  route({
    ...list,
    url: `${REQUESTS}/pending/:featureName`,
    params: Type.Object({ projectId: Type.String(), featureName: Type.String() }),
    summary: 'Lists open change requests that change a flag.',
    description: WHOLE,
    replies: whole,
    handle: ({ params: { projectId: project, featureName: feature }, access }, world) =>
      listRequests(world, access, { project, states: OPEN_STATES, feature }, readRequestViews),
  }),
  route({
    ...list,
    url: `${REQUESTS}/scheduled`,
    summary: 'Lists scheduled change requests.',
    replies: { 200: { description: 'Change requests, newest first', schema: ScheduledRequests } },
    handle: ({ params: { projectId: project }, access }, world) =>
      listRequests(world, access, { project, states: ['Scheduled'] }, async (_reader, rows) =>
        rows.map(({ id, environment, title }) => ({ id, environment, title })),
      ),
  }),
  route({
    ...list,
    url: `${REQUESTS}/count`,
    summary: 'Counts change requests by state, without drafts.',
    replies: { 200: { description: 'Counts', schema: ChangeRequestCounts } },
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        await requireProject(reader, params.projectId)
        return countRequests(reader, params.projectId)
      }),
  }),
  route({
    ...list,
    url: `${REQUESTS}/actionable`,
    summary: 'Counts change requests that the current user can review or apply.',
    replies: { 200: { description: 'Count', schema: ActionableCount } },
    handle: ({ params, access }, world) =>
      world.db.view(async (reader) => {
        await requireProject(reader, params.projectId)
        return { total: await countActionable(reader, params.projectId, access.actor) }
      }),
  }),
  route({
    method: 'GET',
    url: '/api/admin/search/change-requests',
    permission: null,
    tag: 'Change requests',
    summary: 'Searches change requests of all projects, newest first; drafts only of the current user.',
    query: ChangeRequestSearch,
    replies: { 200: { description: 'Change requests', schema: FoundChangeRequests } },
    problems: SEARCH,
    handle: ({ query, access }, world) => world.db.scan((reader) => searchRequests(reader, query, access.actor)),
  }),
]
