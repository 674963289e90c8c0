import { Reply } from '@burgee/kit/http/route'
import { FeatureEnvironment } from '@burgee/protocol/admin-feature'
import { Patch } from '@burgee/protocol/json-patch'
import { AdminStrategy, StrategyInput, UpdateStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader } from '@burgee/storage/database'
import { listStrategies, type StrategyRow } from '@burgee/storage/queries/flags/strategies'
import Type from 'typebox'
import { applyPatch } from '../../core/apply-patch.ts'
import { type Change, execute, executeFlagChange } from '../../core/execute.ts'
import { checkBody } from '../../core/http/check-patched-body.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ifUnchanged } from '../../core/preconditions.ts'
import { readFeatureEnvironment } from './feature-ref.ts'
import { ENVIRONMENT, EnvironmentParams, toEnvironmentRef } from './feature-routes.ts'
import { readFeatureEnvironmentView, toAdminStrategy } from './feature-views.ts'
import {
  addStrategy,
  readStrategy,
  removeStrategy,
  replaceStrategy,
  type StrategyRef,
  strategyReplacement,
} from './strategies.ts'
import { variantRoutes } from './variant-routes.ts'

const STRATEGIES = `${ENVIRONMENT}/strategies`
const StrategyParams = Type.Object({ ...EnvironmentParams.properties, strategyId: Type.String() })
const CONDITION = 'Honors `If-Match`: 412 if the strategy changed since the response with this ETag.'
const OMITTED_FIELDS =
  'If omitted, name, title, disabled, parameters, segments and sortOrder keep their value; constraints and ' +
  'variants become empty.'
const LAST = 'If no enabled strategy is left, the flag is turned off in the environment.'
const ROLLOUT = 'A `flexibleRollout` without the parameter `rollout` includes no one.'
const strategy = { 200: { description: 'The strategy', schema: AdminStrategy } }
const common = { tag: 'Strategies', params: EnvironmentParams } as const
const one = { tag: 'Strategies', params: StrategyParams, url: `${STRATEGIES}/:strategyId` } as const

const toStrategyRef = (params: Parameters<typeof toEnvironmentRef>[0] & { strategyId: string }): StrategyRef => ({
  ...toEnvironmentRef(params),
  id: params.strategyId,
})

/** Query with which a client confirms that a change may remove all constraints or all segments of a strategy. */
const AllowEmpty = Type.Object({ allowEmpty: Type.Optional(Type.Boolean()) })
const OPENS =
  '409 if the flag is on in the environment and the strategy would lose all its constraints or segments, unless `allowEmpty=true`.'
/**
 * Schema that a strategy must match after a patch. A patch cannot remove `disabled`, because the default of false would
 * enable the strategy. `disabled` is null if the patch leaves neither true nor false.
 */
const PatchedStrategy = Type.Object({
  ...StrategyInput.properties,
  disabled: Type.Union([Type.Boolean(), Type.Null()]),
})

/** Returns the strategy in the form of a GET reply, whose ETag is compared with `If-Match`. */
const show = async (reader: Reader, ref: StrategyRef) => toAdminStrategy(await readStrategy(reader, ref))

/** Routes for the strategies of a flag in an environment, and for their variants. Source: wire protocol */
export const strategyRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: ENVIRONMENT,
    permission: null,
    summary: 'Returns a flag in an environment: whether it is on, and its strategies in order.',
    replies: { 200: { description: 'The flag in the environment', schema: FeatureEnvironment } },
    problems: READ,
    handle: ({ params }, world) =>
      world.db.view((reader) => readFeatureEnvironmentView(reader, toEnvironmentRef(params))),
  }),
  route({
    ...common,
    method: 'GET',
    url: STRATEGIES,
    permission: null,
    summary: 'Lists strategies of a flag in an environment, in order.',
    replies: { 200: { description: 'Strategies', schema: Type.Array(AdminStrategy) } },
    problems: READ,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        await readFeatureEnvironment(reader, toEnvironmentRef(params))
        return (await listStrategies(reader, params.featureName, params.environment)).map(toAdminStrategy)
      }),
  }),
  route({
    ...common,
    method: 'POST',
    url: STRATEGIES,
    permission: 'CREATE_FEATURE_STRATEGY',
    summary: 'Adds a strategy.',
    description: ROLLOUT,
    body: StrategyInput,
    replies: strategy,
    problems: WRITE,
    handle: async ({ params, body, access }, world) =>
      toAdminStrategy(await execute(world, access.actor, addStrategy, { ...toEnvironmentRef(params), body })),
  }),
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'Returns a strategy.',
    replies: strategy,
    problems: READ,
    handle: ({ params }, world) => world.db.view((reader) => show(reader, toStrategyRef(params))),
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_FEATURE_STRATEGY',
    summary: 'Replaces a strategy; no-op if it is unchanged.',
    description: `${OMITTED_FIELDS} ${OPENS} ${LAST} ${CONDITION}`,
    query: AllowEmpty,
    body: UpdateStrategy,
    replies: strategy,
    problems: [...WRITE, 'ConflictError', 'PreconditionFailedError'],
    handle: async ({ params, query: { allowEmpty }, body, access, caller }, world) => {
      const ifMatch = caller.headers['if-match']
      const input = { ...toStrategyRef(params), body, allowEmpty }
      const row =
        ifMatch === undefined
          ? await executeFlagChange(world, access.actor, strategyReplacement, input)
          : await execute(world, access.actor, ifUnchanged(ifMatch, show, replaceStrategy), input)
      return toAdminStrategy(row)
    },
  }),
  route({
    ...one,
    method: 'PATCH',
    permission: 'UPDATE_FEATURE_STRATEGY',
    summary: 'Updates a strategy by JSON Patch.',
    description: `${OPENS} ${LAST} ${CONDITION}`,
    query: AllowEmpty,
    body: Patch,
    replies: strategy,
    problems: [...WRITE, 'ConflictError', 'PreconditionFailedError'],
    handle: async ({ params, query: { allowEmpty }, body: patch, access, caller }, world) => {
      const change: Change<StrategyRef, StrategyRow> = async (tx, input, context) => {
        const after = checkBody(PatchedStrategy, applyPatch(await show(tx, input), patch))
        // a property that the patch removed gets its default, whereas a plain update would keep the stored value
        const { title = null, parameters = {}, segments = [], ...kept } = after
        const body = { title, parameters, segments, ...kept }
        return replaceStrategy(tx, { ...input, body, allowEmpty }, context)
      }
      const checked = ifUnchanged(caller.headers['if-match'], show, change)
      return toAdminStrategy(await execute(world, access.actor, checked, toStrategyRef(params)))
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_FEATURE_STRATEGY',
    summary: 'Deletes a strategy.',
    description: `${LAST} ${CONDITION}`,
    replies: { 200: { description: 'Removed' } },
    problems: [...REMOVE, 'ConflictError', 'PreconditionFailedError'],
    handle: async ({ params, access, caller }, world) => {
      const change = ifUnchanged(caller.headers['if-match'], show, removeStrategy)
      await execute(world, access.actor, change, toStrategyRef(params))
      return new Reply(200)
    },
  }),
  ...variantRoutes,
]
