import { Reply, type Route, routesFor } from '@burgee/kit/route'
import { AdminStrategy, Patch, StrategyInput, VariantInput, Variants } from '@burgee/protocol/admin'
import Type from 'typebox'
import { execute } from '../services/execute.ts'
import { strategyView } from '../services/feature-views.ts'
import { patched } from '../services/json-patch.ts'
import { addStrategy, removeStrategy, replaceStrategy, requireStrategy } from '../services/strategies.ts'
import { requireFeatureEnvironment } from '../services/targets.ts'
import { setVariants } from '../services/variants.ts'
import type { World } from '../services/world.ts'
import { strategiesOf } from '../store/strategies.ts'
import type { Access } from './auth.ts'
import { checkBody } from './bodies.ts'
import { ENVIRONMENT, EnvironmentParams, targetOf } from './feature-routes.ts'

const route = routesFor<Access>()
const STRATEGIES = `${ENVIRONMENT}/strategies`
const StrategyParams = Type.Object({ ...EnvironmentParams.properties, strategyId: Type.String() })
const READ = ['AuthenticationRequired', 'NotFoundError']
const WRITE = [...READ, 'ValidationError', 'NoAccessError', 'ContentTypeerror']
const strategy = { 200: { description: 'The strategy', schema: AdminStrategy } }
const common = { tag: 'Strategies', params: EnvironmentParams } as const
const one = { tag: 'Strategies', params: StrategyParams, url: `${STRATEGIES}/:strategyId` } as const

const placeOf = (params: { projectId: string; featureName: string; environment: string }) => ({
  ...targetOf(params),
  environment: params.environment,
})

/** Strategies and variants of a flag in an environment. Source: wire protocol */
export const strategyRoutes = (world: World): Route<Access>[] => [
  ...listRoutes(world),
  ...oneRoutes(world),
  ...oneChangeRoutes(world),
  ...variantRoutes(world),
]

const listRoutes = (world: World): Route<Access>[] => [
  route({
    ...common,
    method: 'GET',
    url: STRATEGIES,
    permission: null,
    summary: 'Strategies of a flag in an environment, in their order.',
    replies: { 200: { description: 'Strategies', schema: Type.Array(AdminStrategy) } },
    problems: READ,
    handle: ({ params }) =>
      world.db.view(async (reader) => {
        await requireFeatureEnvironment(reader, placeOf(params))
        return (await strategiesOf(reader, params.featureName, params.environment)).map(strategyView)
      }),
  }),
  route({
    ...common,
    method: 'POST',
    url: STRATEGIES,
    permission: 'CREATE_FEATURE_STRATEGY',
    summary: 'Adds a strategy.',
    body: StrategyInput,
    replies: strategy,
    problems: WRITE,
    handle: async ({ params, body, access }) =>
      strategyView(await execute(world, access.actor, addStrategy, { ...placeOf(params), body })),
  }),
]

const oneRoutes = (world: World): Route<Access>[] => [
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'One strategy.',
    replies: strategy,
    problems: READ,
    handle: ({ params }) =>
      world.db.view(async (reader) =>
        strategyView(await requireStrategy(reader, { ...placeOf(params), id: params.strategyId })),
      ),
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_FEATURE_STRATEGY',
    summary: 'Replaces a strategy; the same again is no change.',
    body: StrategyInput,
    replies: strategy,
    problems: WRITE,
    handle: async ({ params, body, access }) =>
      strategyView(
        await execute(world, access.actor, replaceStrategy, { ...placeOf(params), id: params.strategyId, body }),
      ),
  }),
]

const oneChangeRoutes = (world: World): Route<Access>[] => [
  route({
    ...one,
    method: 'PATCH',
    permission: 'UPDATE_FEATURE_STRATEGY',
    summary: 'Changes a strategy by JSON Patch.',
    body: Patch,
    replies: strategy,
    problems: WRITE,
    handle: async ({ params, body: patch, access }) => {
      const target = { ...placeOf(params), id: params.strategyId }
      const row = await execute(
        world,
        access.actor,
        async (tx, input, moment) => {
          const before = strategyView(await requireStrategy(tx, input))
          const body = checkBody(StrategyInput, patched(before, patch))
          return replaceStrategy(tx, { ...input, body }, moment)
        },
        target,
      )
      return strategyView(row)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_FEATURE_STRATEGY',
    summary: 'Removes a strategy.',
    replies: { 200: { description: 'Removed' } },
    problems: [...READ, 'NoAccessError'],
    handle: async ({ params, access }) => {
      await execute(world, access.actor, removeStrategy, { ...placeOf(params), id: params.strategyId })
      return new Reply(200)
    },
  }),
]

const variantRoutes = (world: World): Route<Access>[] => [
  route({
    ...common,
    method: 'GET',
    url: `${ENVIRONMENT}/variants`,
    permission: null,
    summary: 'Variants of a flag in an environment.',
    replies: { 200: { description: 'Variants', schema: Variants } },
    problems: READ,
    handle: async ({ params }) => {
      const { variants } = await requireFeatureEnvironment(world.db.reader, placeOf(params))
      return { version: 1, variants }
    },
  }),
  route({
    ...common,
    method: 'PUT',
    url: `${ENVIRONMENT}/variants`,
    permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    summary: 'Replaces the variants; the same again is no change.',
    body: Type.Array(VariantInput, { maxItems: 500 }),
    replies: { 200: { description: 'Variants', schema: Variants } },
    problems: WRITE,
    handle: async ({ params, body, access }) => {
      const variants = await execute(world, access.actor, setVariants, { ...placeOf(params), variants: body })
      return { version: 1, variants }
    },
  }),
]
