import { Reply } from '@burgee/kit/http/route'
import {
  Milestone,
  ProgressionInput,
  ReleasePlan,
  ReleasePlanInput,
} from '@burgee/protocol/administration/release-plan'
import { findPlan } from '@burgee/storage/queries/releases/release-plans'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readFeatureEnvironment } from '../flags/feature-ref.ts'
import { ENVIRONMENT, EnvironmentParams, toEnvironmentRef } from '../flags/feature-routes.ts'
import { requireMilestone } from './milestones.ts'
import {
  addPlan,
  pauseProgressions,
  removePlan,
  removeProgression,
  resumeProgressions,
  setProgression,
  startMilestone,
  toPlanView,
} from './release-plans.ts'

const PlanParams = Type.Object({ ...EnvironmentParams.properties, planId: Type.String() })
const ProgressionParams = Type.Object({ ...EnvironmentParams.properties, sourceMilestoneId: Type.String() })
const MilestoneParams = Type.Object({ ...PlanParams.properties, milestoneId: Type.String() })
const plan = { 200: { description: 'The plan', schema: ReleasePlan } } as const
const update = { permission: 'UPDATE_FEATURE_STRATEGY', tag: 'Release plans' } as const
const PROGRESSIONS = `${ENVIRONMENT}/progressions`
const REVIEWED = 'Requires a change request if the environment does.'

/** Returns the routes for adding, listing and removing plans, given one spelling of their path. */
const routesBelow = (plans: string): Routes => [
  route({
    method: 'GET',
    url: plans,
    params: EnvironmentParams,
    permission: null,
    tag: 'Release plans',
    summary: 'Lists the release plans of a flag in an environment: one, or none.',
    replies: { 200: { description: 'Plans', schema: Type.Array(ReleasePlan) } },
    problems: READ,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        const ref = toEnvironmentRef(params)
        await readFeatureEnvironment(reader, ref)
        const row = await findPlan(reader, ref)
        return row === undefined ? [] : [toPlanView(row)]
      }),
  }),
  route({
    method: 'POST',
    url: plans,
    params: EnvironmentParams,
    permission: 'CREATE_FEATURE_STRATEGY',
    tag: 'Release plans',
    summary: 'Adds a release plan that copies the milestones of a template.',
    description:
      'The strategies of its first milestone are added to the strategies of the flag; SDKs receive them like any other. ' +
      `The time of a milestone passes only while the flag is on. 409 if there is already a plan, or if the template is archived. ${REVIEWED}`,
    body: ReleasePlanInput,
    replies: { 201: plan[200] },
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ params, body: { templateId }, access }, world) => {
      const row = await execute(world, access.actor, addPlan, { ...toEnvironmentRef(params), templateId })
      return Reply.json(201, toPlanView(row))
    },
  }),
  route({
    method: 'DELETE',
    url: `${plans}/:planId`,
    params: PlanParams,
    permission: 'DELETE_FEATURE_STRATEGY',
    tag: 'Release plans',
    summary: 'Removes a release plan, with the strategies of its active milestone.',
    description: `A flag that is left on without an enabled strategy is turned off in the environment. ${REVIEWED}`,
    replies: { 204: { description: 'Removed' } },
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removePlan, { ...toEnvironmentRef(params), planId: params.planId })
      return new Reply(204)
    },
  }),
]

/** Routes for release plans of flags. Source: wire protocol "Guarded releases" */
export const releasePlanRoutes: Routes = [
  ...routesBelow(`${ENVIRONMENT}/release-plans`),
  ...routesBelow(`${ENVIRONMENT}/release_plans`),
  route({
    ...update,
    method: 'POST',
    url: `${ENVIRONMENT}/release-plans/:planId/milestones/:milestoneId/start`,
    params: MilestoneParams,
    summary: 'Starts a milestone of a release plan; no-op if it is active.',
    description: `An earlier milestone means a step back. A paused plan stays paused. ${REVIEWED}`,
    replies: { 200: { description: 'The milestone', schema: Milestone } },
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      const { planId, milestoneId } = params
      const input = { ...toEnvironmentRef(params), planId, milestoneId }
      const row = await execute(world, access.actor, startMilestone, input)
      return requireMilestone(toPlanView(row).milestones, milestoneId)
    },
  }),
  route({
    ...update,
    method: 'PUT',
    url: `${PROGRESSIONS}/:sourceMilestoneId`,
    params: ProgressionParams,
    summary: 'Sets the time after which the next milestone starts.',
    description: `The target must be the milestone after the source. ${REVIEWED}`,
    body: ProgressionInput,
    replies: plan,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      const { sourceMilestoneId } = params
      const input = { ...toEnvironmentRef(params), sourceMilestoneId, body }
      return toPlanView(await execute(world, access.actor, setProgression, input))
    },
  }),
  route({
    ...update,
    method: 'DELETE',
    url: `${PROGRESSIONS}/:sourceMilestoneId`,
    params: ProgressionParams,
    summary: 'Removes the automatic start of the next milestone.',
    description: REVIEWED,
    replies: { 204: { description: 'Removed' } },
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      const { sourceMilestoneId } = params
      await execute(world, access.actor, removeProgression, { ...toEnvironmentRef(params), sourceMilestoneId })
      return new Reply(204)
    },
  }),
  ...(['pause', 'resume'] as const).map((verb) =>
    route({
      ...update,
      method: 'POST',
      url: `${PROGRESSIONS}/:planId/${verb}`,
      params: PlanParams,
      summary: `${verb === 'pause' ? 'Pauses' : 'Resumes'} the automatic start of milestones of a plan.`,
      description: REVIEWED,
      replies: plan,
      problems: REMOVE,
      handle: async ({ params, access }, world) => {
        const change = verb === 'pause' ? pauseProgressions : resumeProgressions
        const input = { ...toEnvironmentRef(params), planId: params.planId }
        return toPlanView(await execute(world, access.actor, change, input))
      },
    }),
  ),
]
