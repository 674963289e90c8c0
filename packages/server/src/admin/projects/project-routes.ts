import { Reply } from '@burgee/kit/http/route'
import {
  CreatedProject,
  CreateProject,
  HealthReport,
  LeadTimes,
  ProjectDetails,
  ProjectId,
  ProjectInsights,
  ProjectOverview,
  ProjectSettings,
  Projects,
  UpdateProject,
} from '@burgee/protocol/project'
import Type from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, SEARCH, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, jsonReply, ProjectParams } from '../../core/http/route-parts.ts'
import type { World } from '../../core/world.ts'
import {
  readHealthReport,
  readProjectDetails,
  readProjectInsights,
  readProjectLeadTimes,
  readProjectList,
} from './project-views.ts'
import {
  archiveProject,
  createProject,
  removeProject,
  requireFreeProject,
  reviveProject,
  updateProject,
} from './projects.ts'

const PROJECTS = '/api/admin/projects'
const tag = 'Projects'
const one = { url: `${PROJECTS}/:projectId`, tag, params: ProjectParams } as const

const read = { ...one, method: 'GET', permission: null, problems: READ } as const

/** Routes for projects. The number of projects is unlimited. Source: wire protocol */
export const projectRoutes: Routes = [
  route({
    method: 'GET',
    url: PROJECTS,
    permission: null,
    tag,
    summary: 'Lists unarchived projects, or archived projects with `archived=true`.',
    query: Type.Object({ archived: Type.Optional(Type.Boolean()) }),
    replies: { 200: { description: 'Projects', schema: Projects } },
    problems: SEARCH,
    handle: async ({ query, access }, world) => {
      const view = toViewContext(world, access)
      const projects = await world.db.view((reader) => readProjectList(reader, view, query.archived ?? false))
      return { version: 1, projects }
    },
  }),
  route({
    ...read,
    url: `${PROJECTS}/:projectId/overview`,
    summary: 'Returns a project with its settings, even if it is archived.',
    replies: { 200: { description: 'The project', schema: ProjectOverview } },
    handle: ({ params, access }, world) =>
      jsonReply(200, world.projectPages.overview(params.projectId, toViewContext(world, access))),
  }),
  route({
    ...read,
    summary: 'Returns a project with its settings and flags, even if it is archived.',
    replies: { 200: { description: 'The project', schema: ProjectDetails } },
    handle: ({ params, access }, world) => readProjectDetails(world, params.projectId, toViewContext(world, access)),
  }),
  route({
    ...read,
    url: `${PROJECTS}/:projectId/health-report`,
    summary: 'Returns a project, with the numbers of stale, potentially stale and other flags.',
    replies: { 200: { description: 'The report', schema: HealthReport } },
    handle: ({ params, access }, world) => readHealthReport(world, params.projectId, toViewContext(world, access)),
  }),
  route({
    ...read,
    url: `${PROJECTS}/:projectId/insights`,
    summary: 'Returns statistics of a project: its flags, members and events of the last 60 days.',
    replies: { 200: { description: 'The insights', schema: ProjectInsights } },
    handle: ({ params, access }, world) =>
      world.db.scan((reader) => readProjectInsights(reader, params.projectId, toViewContext(world, access))),
  }),
  route({
    ...read,
    url: `${PROJECTS}/:projectId/dora`,
    summary: 'Returns the time that flags of a project took to reach production.',
    replies: { 200: { description: 'Days, by flag and on average', schema: LeadTimes } },
    handle: ({ params }, world) => world.db.scan((reader) => readProjectLeadTimes(reader, params.projectId)),
  }),
  route({
    method: 'POST',
    url: PROJECTS,
    permission: 'CREATE_PROJECT',
    tag,
    summary: 'Creates a project; the creator becomes its owner.',
    body: CreateProject,
    replies: { 201: { description: 'The project', schema: CreatedProject } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body, access }, world) => {
      const project = await execute(world, access.actor, createProject, { body, hidden: access.actor.hidden })
      return Reply.json(201, project, { location: `projects/${project.id}` })
    },
  }),
  route({
    method: 'POST',
    url: `${PROJECTS}/validate`,
    permission: 'CREATE_PROJECT',
    tag,
    summary: 'Checks whether a project id is valid and available.',
    body: ProjectId,
    replies: DONE,
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body, access }, world) => {
      await requireFreeProject(world.db.reader, body.id, access.actor.hidden)
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_PROJECT',
    summary:
      'Updates name, description, mode, default stickiness and rules for flags. Omitted fields keep their value.',
    body: UpdateProject,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params: { projectId: id }, body, access }, world) => {
      await execute(world, access.actor, updateProject, { id, body })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    url: `${PROJECTS}/:projectId/settings`,
    method: 'PUT',
    permission: 'UPDATE_PROJECT',
    summary:
      'Updates mode, stickiness, rules for flags, and templates for links of flags. Omitted fields keep their value.',
    body: ProjectSettings,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params: { projectId: id }, body, access }, world) => {
      const { mode, defaultStickiness, featureNaming, featureLimit, linkTemplates } = body
      const change = { id, body: { mode, defaultStickiness, featureNaming, featureLimit, linkTemplates } }
      await execute(world, access.actor, updateProject, change)
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_PROJECT',
    summary: 'Deletes a project without flags, with its segments and its own tokens.',
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params: { projectId: id }, access }, world) => {
      await execute(world, access.actor, removeProject, { id })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'POST',
    url: `${PROJECTS}/archive/:projectId`,
    permission: 'DELETE_PROJECT',
    summary: 'Archives a project whose flags are all archived.',
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params: { projectId: id }, access }, world) => {
      await execute(world, access.actor, archiveProject, { id })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'POST',
    url: `${PROJECTS}/revive/:projectId`,
    permission: 'DELETE_PROJECT',
    summary: 'Revives a project.',
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params: { projectId: id }, access }, world) => {
      await execute(world, access.actor, reviveProject, { id })
      return new Reply(200)
    },
  }),
]

function toViewContext({ clock }: World, { actor }: Access) {
  return { now: clock(), userId: actor.user?.id, hidden: actor.hidden }
}
