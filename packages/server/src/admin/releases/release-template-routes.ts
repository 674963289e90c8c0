import { Reply } from '@burgee/kit/http/route'
import {
  Milestone,
  MilestoneInput,
  MilestoneStrategy,
  MilestoneStrategyInput,
  ReleaseTemplate,
  ReleaseTemplateInput,
} from '@burgee/protocol/administration/release-plan'
import { listTemplates } from '@burgee/storage/queries/releases/release-templates'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { LIST, READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { toMilestoneStrategyView, toMilestoneView } from './milestones.ts'
import {
  addMilestone,
  addMilestoneStrategy,
  archiveTemplate,
  createTemplate,
  removeMilestone,
  removeMilestoneStrategy,
  removeTemplate,
  replaceMilestone,
  replaceMilestoneStrategy,
  replaceTemplate,
  requireTemplate,
  toTemplateView,
} from './release-templates.ts'

const TEMPLATES = '/api/admin/release-plan-templates'
const TemplateParams = Type.Object({ templateId: Type.String() })
const MilestoneParams = Type.Object({ ...TemplateParams.properties, milestoneId: Type.String() })
const StrategyParams = Type.Object({ ...MilestoneParams.properties, strategyId: Type.String() })
const template = { description: 'The template', schema: ReleaseTemplate }
const milestone = { description: 'The milestone', schema: Milestone }
const strategy = { description: 'The strategy', schema: MilestoneStrategy }
const removed = { 204: { description: 'Removed' } } as const
const EDIT = [...WRITE, 'ConflictError', 'InvalidOperationError']
const all = { url: TEMPLATES, tag: 'Release templates' } as const
const one = { url: `${TEMPLATES}/:templateId`, params: TemplateParams, tag: 'Release templates' } as const
const update = { permission: 'RELEASE_PLAN_TEMPLATE_UPDATE', tag: 'Release templates' } as const
const oneMilestone = { ...update, url: `${one.url}/milestones/:milestoneId`, params: MilestoneParams } as const
const oneStrategy = { ...update, url: `${oneMilestone.url}/strategies/:strategyId`, params: StrategyParams } as const
const OPEN = '409 if the template is archived. Existing plans do not change.'

/** Routes for release templates. Source: wire protocol "Guarded releases" */
export const releaseTemplateRoutes: Routes = [
  route({
    ...all,
    method: 'GET',
    permission: null,
    summary: 'Lists release templates by name, archived templates included.',
    replies: { 200: { description: 'Templates', schema: Type.Array(ReleaseTemplate) } },
    problems: LIST,
    handle: (_request, world) => world.db.view(async (reader) => (await listTemplates(reader)).map(toTemplateView)),
  }),
  route({
    ...all,
    method: 'POST',
    permission: 'RELEASE_PLAN_TEMPLATE_CREATE',
    summary: 'Creates a release template.',
    description: 'Milestones are sorted by `sortOrder`, which is the index in the list by default.',
    body: ReleaseTemplateInput,
    replies: { 201: template },
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ body, access }, world) => {
      const row = await execute(world, access.actor, createTemplate, body)
      return Reply.json(201, toTemplateView(row), { location: `release-plan-templates/${row.id}` })
    },
  }),
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'Returns a release template.',
    replies: { 200: template },
    problems: READ,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => toTemplateView(await requireTemplate(reader, params.templateId))),
  }),
  route({
    ...one,
    ...update,
    method: 'PUT',
    summary: 'Replaces a release template; no-op if it is unchanged.',
    description: `Omitted description and milestones keep their value. ${OPEN}`,
    body: ReleaseTemplateInput,
    replies: { 200: template },
    problems: EDIT,
    handle: async ({ params, body, access }, world) =>
      toTemplateView(await execute(world, access.actor, replaceTemplate, { id: params.templateId, body })),
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'RELEASE_PLAN_TEMPLATE_DELETE',
    summary: 'Deletes a release template.',
    description: 'Existing plans stay.',
    replies: removed,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeTemplate, { id: params.templateId })
      return new Reply(204)
    },
  }),
  route({
    ...update,
    method: 'POST',
    url: `${TEMPLATES}/archive/:templateId`,
    params: TemplateParams,
    summary: 'Archives a release template.',
    description: 'No further plans can be created from it. Existing plans stay.',
    replies: { 202: { description: 'Archived' } },
    problems: [...REMOVE, 'ConflictError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, archiveTemplate, { id: params.templateId })
      return new Reply(202)
    },
  }),
  route({
    ...update,
    method: 'POST',
    url: `${one.url}/milestones`,
    params: TemplateParams,
    summary: 'Adds a milestone to a release template.',
    description: OPEN,
    body: MilestoneInput,
    replies: { 201: milestone },
    problems: EDIT,
    handle: async ({ params: { templateId: id }, body, access }, world) =>
      Reply.json(201, toMilestoneView(id, await execute(world, access.actor, addMilestone, { id, body }), null)),
  }),
  route({
    ...oneMilestone,
    method: 'PUT',
    summary: 'Replaces a milestone of a release template.',
    description: `Omitted strategies keep their value. ${OPEN}`,
    body: MilestoneInput,
    replies: { 200: milestone },
    problems: EDIT,
    handle: async ({ params: { templateId: id, milestoneId }, body, access }, world) =>
      toMilestoneView(id, await execute(world, access.actor, replaceMilestone, { id, milestoneId, body }), null),
  }),
  route({
    ...oneMilestone,
    method: 'DELETE',
    summary: 'Removes a milestone from a release template.',
    description: OPEN,
    replies: removed,
    problems: [...REMOVE, 'ConflictError'],
    handle: async ({ params: { templateId: id, milestoneId }, access }, world) => {
      await execute(world, access.actor, removeMilestone, { id, milestoneId })
      return new Reply(204)
    },
  }),
  route({
    ...oneMilestone,
    method: 'POST',
    url: `${oneMilestone.url}/strategies`,
    summary: 'Adds a strategy to a milestone of a release template.',
    description: OPEN,
    body: MilestoneStrategyInput,
    replies: { 201: strategy },
    problems: EDIT,
    handle: async ({ params: { templateId: id, milestoneId }, body, access }, world) => {
      const row = await execute(world, access.actor, addMilestoneStrategy, { id, milestoneId, body })
      return Reply.json(201, toMilestoneStrategyView(milestoneId, row))
    },
  }),
  route({
    ...oneStrategy,
    method: 'PUT',
    summary: 'Replaces a strategy of a milestone of a release template.',
    description: OPEN,
    body: MilestoneStrategyInput,
    replies: { 200: strategy },
    problems: EDIT,
    handle: async ({ params: { templateId: id, milestoneId, strategyId }, body, access }, world) => {
      const input = { id, milestoneId, strategyId, body }
      return toMilestoneStrategyView(milestoneId, await execute(world, access.actor, replaceMilestoneStrategy, input))
    },
  }),
  route({
    ...oneStrategy,
    method: 'DELETE',
    summary: 'Removes a strategy from a milestone of a release template.',
    description: OPEN,
    replies: removed,
    problems: [...REMOVE, 'ConflictError'],
    handle: async ({ params: { templateId: id, milestoneId, strategyId }, access }, world) => {
      await execute(world, access.actor, removeMilestoneStrategy, { id, milestoneId, strategyId })
      return new Reply(204)
    },
  }),
]
