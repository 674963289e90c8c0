import { Reply } from '@burgee/kit/http/route'
import { StrategiesUsing } from '@burgee/protocol/targeting/context-field'
import {
  CreateStrategyType,
  StrategyTypes,
  StrategyTypeView,
  UpdateStrategyType,
} from '@burgee/protocol/targeting/strategy-type'
import { listStrategiesOfType, listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import Type from 'typebox'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { execute } from '../../core/execute.ts'
import { LIST, READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import {
  createStrategyType,
  removeStrategyType,
  replaceStrategyType,
  requireStrategyType,
  setDeprecated,
  toStrategyType,
} from './strategy-types.ts'

const STRATEGIES = '/api/admin/strategies'
const tag = 'Strategy types'
const one = {
  url: `${STRATEGIES}/:strategyName`,
  tag,
  params: Type.Object({ strategyName: Type.String() }),
} as const

/** Routes for the built-in and custom strategy types. Source: wire protocol */
export const strategyTypeRoutes: Routes = [
  route({
    method: 'GET',
    url: STRATEGIES,
    permission: null,
    tag,
    summary: 'Lists strategy types.',
    replies: { 200: { description: 'Types', schema: StrategyTypes } },
    problems: LIST,
    handle: async (_input, world) => ({
      version: 1,
      strategies: (await listStrategyTypes(world.db.reader)).map(toStrategyType),
    }),
  }),
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'Returns a strategy type.',
    replies: { 200: { description: 'The type', schema: StrategyTypeView } },
    problems: READ,
    handle: async ({ params }, world) =>
      toStrategyType(await requireStrategyType(world.db.reader, params.strategyName)),
  }),
  route({
    ...one,
    method: 'GET',
    url: `${STRATEGIES}/:strategyName/strategies`,
    permission: null,
    summary: 'Lists strategies of a type, of all flags.',
    replies: { 200: { description: 'Strategies', schema: StrategiesUsing } },
    problems: READ,
    handle: ({ params: { strategyName: name }, access: { actor } }, world) =>
      world.db.view(async (reader) => {
        await requireStrategyType(reader, name)
        const strategies = await listStrategiesOfType(reader, name)
        return { strategies: filterVisible(actor.hidden, strategies, ({ projectId }) => projectId) }
      }),
  }),
  route({
    method: 'POST',
    url: STRATEGIES,
    permission: 'CREATE_STRATEGY',
    tag,
    summary: 'Creates a custom strategy type, which the SDKs that use it must implement.',
    body: CreateStrategyType,
    replies: { 201: { description: 'The type', schema: StrategyTypeView } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body, access }, world) => {
      const row = await execute(world, access.actor, createStrategyType, body)
      return Reply.json(201, toStrategyType(row), { location: `strategies/${row.name}` })
    },
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_STRATEGY',
    summary: 'Replaces a custom strategy type except its name.',
    description: 'Omitted title and description keep their value.',
    body: UpdateStrategyType,
    replies: DONE,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params: { strategyName: name }, body, access }, world) => {
      await execute(world, access.actor, replaceStrategyType, { name, body })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_STRATEGY',
    summary: 'Deletes a custom strategy type that no strategy uses.',
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError', 'ConflictError'],
    handle: async ({ params: { strategyName: name }, access }, world) => {
      await execute(world, access.actor, removeStrategyType, { name, hidden: access.actor.hidden })
      return new Reply(200)
    },
  }),
  ...(['deprecate', 'reactivate'] as const).map((verb) =>
    route({
      ...one,
      method: 'POST',
      url: `${STRATEGIES}/:strategyName/${verb}`,
      permission: 'UPDATE_STRATEGY',
      summary:
        verb === 'deprecate'
          ? 'Deprecates a strategy type; existing strategies of this type keep working.'
          : 'Ends the deprecation of a strategy type.',
      replies: DONE,
      problems: REMOVE,
      handle: async ({ params: { strategyName: name }, access }, world) => {
        await execute(world, access.actor, setDeprecated, { name, deprecated: verb === 'deprecate' })
        return new Reply(200)
      },
    }),
  ),
]
