import { Reply } from '@burgee/kit/http/route'
import { AdminFeature, FeatureList } from '@burgee/protocol/admin-feature'
import { ArchiveCheck, CloneFeature, FeatureNames, SortOrders, StaleFeatures } from '@burgee/protocol/batch'
import Type from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { requirePermission } from '../../core/access/rights/rights.ts'
import { execute, withView } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, jsonReply, ProjectParams } from '../../core/http/route-parts.ts'
import type { World } from '../../core/world.ts'
import { cloneFeature, sortStrategies } from './copies.ts'
import { requireFeatureNamed } from './feature-ref.ts'
import {
  ENVIRONMENT,
  EnvironmentParams,
  FEATURES,
  FeatureParams,
  SwitchQuery,
  TURN_ON,
  toEnvironmentRef,
  toFeatureRef,
  toTargetState,
} from './feature-routes.ts'
import { readAdminFeature } from './feature-views.ts'
import {
  archiveFeatures,
  checkArchive,
  deleteFeatures,
  type FeatureRefs,
  markStale,
  reviveFeatures,
} from './lifecycle.ts'
import { setEnabledFor } from './switch-flag.ts'

const PROJECT = '/api/admin/projects/:projectId'
const ARCHIVE = '/api/admin/archive'
const batch = { method: 'POST', tag: 'Features', params: ProjectParams, body: FeatureNames, problems: WRITE } as const
const list = { tag: 'Features', method: 'GET', permission: null } as const
const flags = { 200: { description: 'Flags', schema: FeatureList } }

/**
 * Routes that archive, revive, delete and copy flags, mark flags as stale, turn several flags on or off, and sort
 * strategies. Source: wire protocol
 */
export const lifecycleRoutes: Routes = [
  route({
    ...batch,
    url: `${PROJECT}/archive`,
    permission: 'DELETE_FEATURE',
    summary: 'Archives flags atomically.',
    replies: { 202: { description: 'Archived' } },
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, archiveFeatures, { project: params.projectId, features: body.features })
      return new Reply(202)
    },
  }),
  route({
    ...batch,
    url: `${PROJECT}/archive/validate`,
    permission: 'DELETE_FEATURE',
    summary: 'Returns the flags that are parents of other flags, and whether archiving removes dependencies.',
    replies: { 200: { description: 'Errors, warnings and missing permissions', schema: ArchiveCheck } },
    handle: ({ params, body }, world) =>
      world.db.view((reader) => checkArchive(reader, { project: params.projectId, features: body.features })),
  }),
  route({
    ...batch,
    url: `${PROJECT}/revive`,
    permission: 'UPDATE_FEATURE',
    summary: 'Atomically revives archived flags; they are off in all environments.',
    replies: DONE,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, reviveFeatures, { project: params.projectId, features: body.features })
      return new Reply(200)
    },
  }),
  route({
    ...batch,
    url: `${PROJECT}/delete`,
    permission: 'DELETE_FEATURE',
    summary: 'Deletes archived flags; other flags are ignored. Fails if an unarchived flag depends on one of them.',
    replies: DONE,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, deleteFeatures, { project: params.projectId, features: body.features })
      return new Reply(200)
    },
  }),
  route({
    ...batch,
    url: `${PROJECT}/stale`,
    permission: 'UPDATE_FEATURE',
    summary: 'Marks flags as stale or not stale atomically.',
    body: StaleFeatures,
    replies: { 202: { description: 'Marked' } },
    handle: async ({ params, body, access }, world) => {
      const { features, stale } = body
      await execute(world, access.actor, markStale, { project: params.projectId, features, stale })
      return new Reply(202)
    },
  }),
  ...(['on', 'off'] as const).map((state) =>
    route({
      ...batch,
      url: `${PROJECT}/bulk_features/environments/:environment/${state}`,
      permission: 'UPDATE_FEATURE_ENVIRONMENT',
      summary: `Turns flags ${state} in one environment atomically.`,
      ...(state === 'on' && { description: TURN_ON }),
      params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
      query: SwitchQuery,
      replies: DONE,
      handle: async ({ params, query, body, access }, world) => {
        const { projectId: project, environment } = params
        const input = { project, environment, features: body.features, ...toTargetState(state, query) }
        await execute(world, access.actor, setEnabledFor, input)
        return new Reply(200)
      },
    }),
  ),
  route({
    method: 'POST',
    url: `${ARCHIVE}/revive/:featureName`,
    permission: 'UPDATE_FEATURE',
    tag: 'Features',
    summary: 'Revives an archived flag; it is off in all environments.',
    params: Type.Object({ featureName: Type.String() }),
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params, access }, world) => {
      const ref = await locateFlag(world, access, params.featureName, 'UPDATE_FEATURE')
      await execute(world, access.actor, reviveFeatures, ref)
      return new Reply(200)
    },
  }),
  route({
    method: 'DELETE',
    url: `${ARCHIVE}/:featureName`,
    permission: 'DELETE_FEATURE',
    tag: 'Features',
    summary:
      'Deletes an archived flag permanently; does nothing if the flag is not archived. Fails if an unarchived flag depends on it.',
    params: Type.Object({ featureName: Type.String() }),
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params, access }, world) => {
      const ref = await locateFlag(world, access, params.featureName, 'DELETE_FEATURE')
      await execute(world, access.actor, deleteFeatures, ref)
      return new Reply(200)
    },
  }),
  route({
    ...list,
    url: `${ARCHIVE}/features`,
    summary: 'Lists archived flags of all projects, by name.',
    replies: flags,
    problems: READ,
    handle: ({ access: { actor } }, { flagPages }) =>
      jsonReply(200, flagPages.list({ archived: true, hidden: actor.hidden })),
  }),
  route({
    ...list,
    url: `${ARCHIVE}/features/:projectId`,
    summary: 'Lists archived flags of a project, by name; empty for an unknown project.',
    params: ProjectParams,
    replies: flags,
    problems: READ,
    handle: ({ params }, { flagPages }) =>
      jsonReply(200, flagPages.list({ project: params.projectId, archived: true })),
  }),
  route({
    ...list,
    url: '/api/admin/features',
    summary: 'Lists flags of all projects, by name.',
    replies: flags,
    problems: READ,
    handle: ({ access: { actor } }, { flagPages }) => jsonReply(200, flagPages.list({ hidden: actor.hidden })),
  }),
  route({
    method: 'POST',
    url: `${FEATURES}/:featureName/clone`,
    permission: 'CREATE_FEATURE',
    tag: 'Features',
    summary: 'Copies a flag with its strategies, variants and parent; the copy is off in all environments.',
    params: FeatureParams,
    body: CloneFeature,
    replies: { 201: { description: 'The copy', schema: AdminFeature } },
    problems: [...WRITE, 'NameExistsError', 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      const copied = withView(cloneFeature, readAdminFeature)
      const copy = await execute(world, access.actor, copied, { ...toFeatureRef(params), body })
      return Reply.json(201, copy)
    },
  }),
  route({
    method: 'POST',
    url: `${ENVIRONMENT}/strategies/set-sort-order`,
    permission: 'UPDATE_FEATURE_STRATEGY',
    tag: 'Strategies',
    summary: 'Sets the order of strategies.',
    params: EnvironmentParams,
    body: SortOrders,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, sortStrategies, { ...toEnvironmentRef(params), body })
      return new Reply(200)
    },
  }),
]

async function locateFlag(world: World, { actor }: Access, name: string, permission: string): Promise<FeatureRefs> {
  const row = await requireFeatureNamed(world.db.reader, name)
  requirePermission(actor, permission, { project: row.project })
  return { project: row.project, features: [name] }
}
