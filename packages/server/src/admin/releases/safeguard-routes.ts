import { Reply } from '@burgee/kit/http/route'
import { Safeguard, SafeguardInput } from '@burgee/protocol/administration/safeguard'
import { listSafeguards } from '@burgee/storage/queries/releases/safeguards'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readFeatureEnvironment } from '../flags/feature-ref.ts'
import { ENVIRONMENT, EnvironmentParams, toEnvironmentRef } from '../flags/feature-routes.ts'
import { removeSafeguard, setSafeguard, toSafeguardView } from './safeguards.ts'

const PLAN = `${ENVIRONMENT}/release-plans/:planId`
const PlanParams = Type.Object({ ...EnvironmentParams.properties, planId: Type.String() })
const SafeguardId = { safeguardId: Type.String() }
const safeguard = { 200: { description: 'The safeguard', schema: Safeguard } } as const
const update = { permission: 'UPDATE_FEATURE_STRATEGY', tag: 'Release plans' } as const
const REVIEWED = 'Requires a change request if the environment does.'
const ARMED = `Replaces the safeguard with the \`id\` of the body and arms it again, or creates one. ${REVIEWED}`

/** Routes for safeguards of flags and release plans. Source: wire protocol "Guarded releases" */
export const safeguardRoutes: Routes = [
  route({
    method: 'GET',
    url: `${ENVIRONMENT}/safeguards`,
    params: EnvironmentParams,
    permission: null,
    tag: 'Release plans',
    summary: 'Lists the safeguards of a flag in an environment, including the safeguards of its release plan.',
    replies: { 200: { description: 'Safeguards', schema: Type.Array(Safeguard) } },
    problems: READ,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        const ref = toEnvironmentRef(params)
        await readFeatureEnvironment(reader, ref)
        return (await listSafeguards(reader, ref)).map(toSafeguardView)
      }),
  }),
  route({
    ...update,
    method: 'PUT',
    url: `${ENVIRONMENT}/safeguards`,
    params: EnvironmentParams,
    summary: 'Sets a safeguard that turns the flag off in the environment.',
    description: ARMED,
    body: SafeguardInput,
    replies: safeguard,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) =>
      toSafeguardView(await execute(world, access.actor, setSafeguard, { ...toEnvironmentRef(params), body })),
  }),
  route({
    ...update,
    method: 'DELETE',
    url: `${ENVIRONMENT}/safeguards/:safeguardId`,
    params: Type.Object({ ...EnvironmentParams.properties, ...SafeguardId }),
    summary: 'Deletes a safeguard that belongs to no release plan.',
    description: REVIEWED,
    replies: { 204: { description: 'Deleted' } },
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      const { safeguardId } = params
      await execute(world, access.actor, removeSafeguard, { ...toEnvironmentRef(params), safeguardId })
      return new Reply(204)
    },
  }),
  route({
    ...update,
    method: 'PUT',
    url: `${PLAN}/safeguards`,
    params: PlanParams,
    summary: 'Sets a safeguard of a release plan.',
    description: ARMED,
    body: SafeguardInput,
    replies: safeguard,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => {
      const input = { ...toEnvironmentRef(params), planId: params.planId, body }
      return toSafeguardView(await execute(world, access.actor, setSafeguard, input))
    },
  }),
  route({
    ...update,
    method: 'DELETE',
    url: `${PLAN}/safeguards/:safeguardId`,
    params: Type.Object({ ...PlanParams.properties, ...SafeguardId }),
    summary: 'Deletes a safeguard of a release plan.',
    description: REVIEWED,
    replies: { 204: { description: 'Deleted' } },
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      const { planId, safeguardId } = params
      await execute(world, access.actor, removeSafeguard, { ...toEnvironmentRef(params), planId, safeguardId })
      return new Reply(204)
    },
  }),
]
