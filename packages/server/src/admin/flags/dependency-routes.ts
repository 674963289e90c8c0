import { Reply } from '@burgee/kit/http/route'
import { DependencyInput } from '@burgee/protocol/batch'
import { hasDependencies, listPossibleParents } from '@burgee/storage/queries/flags/dependencies'
import { listFeatureEnvironments } from '@burgee/storage/queries/flags/features'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, ProjectParams } from '../../core/http/route-parts.ts'
import { addDependency, removeDependency } from './dependencies.ts'
import { requireFeature } from './feature-ref.ts'
import { FEATURES, FeatureParams, toFeatureRef } from './feature-routes.ts'

const DEPENDENCIES = `${FEATURES}/:featureName/dependencies`
const change = { tag: 'Dependencies', permission: 'UPDATE_FEATURE_DEPENDENCY', params: FeatureParams } as const
const read = { tag: 'Dependencies', permission: null, method: 'GET', problems: READ } as const
const names = { 200: { description: 'Names', schema: Type.Array(Type.String()) } }

/** Routes for flag dependencies: a flag can depend on a parent flag. Source: wire protocol */
export const dependencyRoutes: Routes = [
  route({
    ...change,
    method: 'POST',
    url: DEPENDENCIES,
    summary: 'Sets the parent of a flag, replacing an existing one.',
    body: DependencyInput,
    replies: DONE,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, addDependency, { ...toFeatureRef(params), body })
      return new Reply(200)
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    url: DEPENDENCIES,
    summary: 'Removes all dependencies of a flag.',
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeDependency, toFeatureRef(params))
      return new Reply(200)
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    url: `${DEPENDENCIES}/:parent`,
    params: Type.Object({ ...FeatureParams.properties, parent: Type.String() }),
    summary: 'Removes a dependency of a flag.',
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeDependency, { ...toFeatureRef(params), parent: params.parent })
      return new Reply(200)
    },
  }),
  route({
    ...read,
    url: `${FEATURES}/:featureName/parents`,
    summary: 'Lists flags that can be the parent of a flag.',
    params: FeatureParams,
    replies: names,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        await requireFeature(reader, toFeatureRef(params))
        return listPossibleParents(reader, params.projectId, params.featureName)
      }),
  }),
  route({
    ...read,
    url: `${FEATURES}/:featureName/parent-variants`,
    summary: 'Lists variant names of a parent, in any environment.',
    params: FeatureParams,
    replies: names,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        await requireFeature(reader, toFeatureRef(params))
        const environments = await listFeatureEnvironments(reader, params.featureName)
        const strategies = await listStrategies(reader, params.featureName)
        const variants = [...environments, ...strategies].flatMap((one) => one.variants)
        return [...new Set(variants.map((variant) => variant.name))].sort()
      }),
  }),
  route({
    ...read,
    url: '/api/admin/projects/:projectId/dependencies',
    summary: 'Returns whether any flag of a project has a parent.',
    params: ProjectParams,
    replies: { 200: { description: 'True if any flag has a parent', schema: Type.Boolean() } },
    handle: ({ params }, world) => hasDependencies(world.db.reader, params.projectId),
  }),
]
