import { Reply } from '@burgee/kit/http/route'
import { SelfTarget, SelfTargetInput } from '@burgee/protocol/administration/self-target'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ENVIRONMENT, EnvironmentParams, toEnvironmentRef } from './feature-routes.ts'
import { endSelfTarget, readSelfTargets, startSelfTarget, toSelfTargetView } from './self-targets.ts'

const OVERRIDES = `${ENVIRONMENT}/self-targeting`
const common = { tag: 'Strategies', params: EnvironmentParams, url: OVERRIDES } as const

/** Routes for overrides that give one user a flag for a limited time. The routes are not part of the wire protocol. */
export const selfTargetRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    permission: null,
    summary: 'Lists the users who get the flag for a limited time.',
    replies: { 200: { description: 'Overrides', schema: Type.Array(SelfTarget) } },
    problems: READ,
    handle: ({ params }, { db }) => db.view((reader) => readSelfTargets(reader, toEnvironmentRef(params))),
  }),
  route({
    ...common,
    method: 'POST',
    permission: 'CREATE_FEATURE_STRATEGY',
    summary: 'Gives one user the flag, or one of its variants, for some minutes.',
    description:
      'Adds a strategy in front of all others, which ends by itself and is then removed. Replaces an earlier override ' +
      'of the same user. 409 if the flag is off there. Rejected where the environment requires a change request.',
    body: SelfTargetInput,
    replies: { 201: { description: 'The override', schema: SelfTarget } },
    problems: [...WRITE, 'ConflictError', 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      const row = await execute(world, access.actor, startSelfTarget, { ...toEnvironmentRef(params), body })
      return Reply.json(201, toSelfTargetView(row))
    },
  }),
  route({
    method: 'DELETE',
    url: `${OVERRIDES}/:id`,
    tag: 'Strategies',
    params: Type.Object({ ...EnvironmentParams.properties, id: Type.String() }),
    permission: 'CREATE_FEATURE_STRATEGY',
    summary: 'Ends an override before its time.',
    replies: { 204: { description: 'Ended' } },
    problems: [...REMOVE, 'ConflictError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, endSelfTarget, { ...toEnvironmentRef(params), id: params.id })
      return new Reply(204)
    },
  }),
]
