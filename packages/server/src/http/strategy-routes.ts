import { Reply, type Route, routesFor } from '@burgee/kit/route'
import { AdminStrategy, Patch, StrategyInput } from '@burgee/protocol/admin'
import Type from 'typebox'
import { type Change, execute } from '../services/execute.ts'
import { strategyView } from '../services/feature-views.ts'
import { patched } from '../services/json-patch.ts'
import { ifUnchanged } from '../services/preconditions.ts'
import {
  addStrategy,
  removeStrategy,
  replaceStrategy,
  requireStrategy,
  type StrategyTarget,
} from '../services/strategies.ts'
import { requireFeatureEnvironment } from '../services/targets.ts'
import type { World } from '../services/world.ts'
import type { Reader } from '../store/database.ts'
import { type StrategyRow, strategiesOf } from '../store/strategies.ts'
import type { Access } from './auth.ts'
import { checkBody } from './bodies.ts'
import { ENVIRONMENT, EnvironmentParams, targetOf } from './feature-routes.ts'
import { variantRoutes } from './variant-routes.ts'

const route = routesFor<Access>()
const STRATEGIES = `${ENVIRONMENT}/strategies`
const StrategyParams = Type.Object({ ...EnvironmentParams.properties, strategyId: Type.String() })
const READ = ['AuthenticationRequired', 'NotFoundError']
const WRITE = [...READ, 'ValidationError', 'NoAccessError', 'ContentTypeerror']
const CONDITION = 'With `If-Match`, only while the strategy is as the ETag of a reply that shows it says.'
const strategy = { 200: { description: 'The strategy', schema: AdminStrategy } }
const common = { tag: 'Strategies', params: EnvironmentParams } as const
const one = { tag: 'Strategies', params: StrategyParams, url: `${STRATEGIES}/:strategyId` } as const

const placeOf = (params: { projectId: string; featureName: string; environment: string }) => ({
  ...targetOf(params),
  environment: params.environment,
})

const oneOf = (params: Parameters<typeof placeOf>[0] & { strategyId: string }): StrategyTarget => ({
  ...placeOf(params),
  id: params.strategyId,
})

/** What GET replies with: its tag is the one that `If-Match` names. */
const show = async (reader: Reader, target: StrategyTarget) => strategyView(await requireStrategy(reader, target))

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
    handle: ({ params }) => world.db.view((reader) => show(reader, oneOf(params))),
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_FEATURE_STRATEGY',
    summary: 'Replaces a strategy; the same again is no change.',
    description: CONDITION,
    body: StrategyInput,
    replies: strategy,
    problems: [...WRITE, 'PreconditionFailedError'],
    handle: async ({ params, body, access, caller }) => {
      const change = ifUnchanged(caller.headers['if-match'], show, replaceStrategy)
      return strategyView(await execute(world, access.actor, change, { ...oneOf(params), body }))
    },
  }),
]

const oneChangeRoutes = (world: World): Route<Access>[] => [
  route({
    ...one,
    method: 'PATCH',
    permission: 'UPDATE_FEATURE_STRATEGY',
    summary: 'Changes a strategy by JSON Patch.',
    description: CONDITION,
    body: Patch,
    replies: strategy,
    problems: [...WRITE, 'PreconditionFailedError'],
    handle: async ({ params, body: patch, access, caller }) => {
      const change: Change<StrategyTarget, StrategyRow> = async (tx, input, moment) => {
        const body = checkBody(StrategyInput, patched(await show(tx, input), patch))
        return replaceStrategy(tx, { ...input, body }, moment)
      }
      const checked = ifUnchanged(caller.headers['if-match'], show, change)
      return strategyView(await execute(world, access.actor, checked, oneOf(params)))
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_FEATURE_STRATEGY',
    summary: 'Removes a strategy.',
    description: CONDITION,
    replies: { 200: { description: 'Removed' } },
    problems: [...READ, 'NoAccessError', 'PreconditionFailedError'],
    handle: async ({ params, access, caller }) => {
      const change = ifUnchanged(caller.headers['if-match'], show, removeStrategy)
      await execute(world, access.actor, change, oneOf(params))
      return new Reply(200)
    },
  }),
]
