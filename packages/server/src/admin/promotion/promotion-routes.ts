import { Reply } from '@burgee/kit/http/route'
import { createKeyedMutex } from '@burgee/kit/keyed-mutex'
import {
  Comparison,
  ComparisonQuery,
  PromotionPlan,
  PromotionPlanRequest,
  PromotionRequest,
  PromotionResult,
  PromotionUndo,
} from '@burgee/protocol/administration/promotion'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { READ, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { requirePerson } from '../change-requests/request-ref.ts'
import { compareEnvironments } from './comparison.ts'
import { planPromotion, promote, undoPromotion } from './promotion.ts'
import { proposePromotion } from './proposed-promotion.ts'

const PROJECT = '/api/admin/projects/:projectId'
const PROMOTIONS = `${PROJECT}/environments/:environment/promotions`
/** Maximum length of a body: enough for two hundred flags with dozens of long strategies each. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
const common = {
  method: 'POST',
  tag: 'Environments',
  permission: null,
  bodyLimitBytes: MAX_BODY_BYTES,
  params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
} as const
const problems = [...WRITE, 'InvalidOperationError', 'PayloadTooLargeError'] as const
const RIGHTS =
  'Requires the permissions in the environment that the changes need: to add, change and remove strategies, to set variants, and to turn flags on and off.'

/**
 * Creates the routes that compare environments, and that copy flag settings from one environment to another. The routes
 * are not part of the wire protocol.
 */
export const promotionRoutes = (inTurn = createKeyedMutex<string>()): Routes => [
  route({
    method: 'GET',
    url: `${PROJECT}/environments/:environment/comparison/:from`,
    permission: null,
    tag: 'Environments',
    summary:
      'Compares the flags of a project in this environment with another one: the parts that differ, with both states.',
    params: Type.Object({ projectId: Type.String(), environment: Type.String(), from: Type.String() }),
    query: ComparisonQuery,
    replies: { 200: { description: 'The flags by name', schema: Comparison } },
    problems: [...READ, 'ValidationError'],
    handle: ({ params: { projectId: project, environment: to, from }, query }, world) =>
      compareEnvironments(world, { project, from, to }, query),
  }),
  planRoute(inTurn),
  route({
    ...common,
    url: PROMOTIONS,
    summary: 'Copies parts of flags from another environment into this one, as planned: everything or nothing.',
    description: `A flag that is off stays off unless \`enabled\` is among the parts. With \`asChangeRequest\`, the changes are added to the draft of the current user. ${RIGHTS}`,
    body: PromotionRequest,
    replies: { 200: { description: 'The result', schema: PromotionResult } },
    problems: [...problems, 'ConflictError'],
    handle: async ({ params: { projectId: project, environment }, body, access: { actor } }, world) => {
      const { from, parts, asChangeRequest = false } = body
      const seen = new Map(body.features.map((flag) => [flag.name, flag.seen]))
      const promotion = { project, environment, from, parts, features: [...seen.keys()], seen }
      if (asChangeRequest) return proposePromotion(world, { ...promotion, actor: requirePerson(actor) })
      return execute(world, actor, promote, { ...promotion, actor })
    },
  }),
  route({
    ...common,
    url: `${PROMOTIONS}/undo`,
    summary: 'Reverts a promotion of flags in this environment, if they have not changed since.',
    description: RIGHTS,
    body: PromotionUndo,
    replies: { 200: { description: 'Done' } },
    problems: [...problems, 'ConflictError'],
    handle: async ({ params: { projectId: project, environment }, body: { features }, access: { actor } }, world) => {
      await inTurn(actor.name, () => execute(world, actor, undoPromotion, { project, environment, features, actor }))
      return new Reply(200)
    },
  }),
]

/**
 * Creates the route that plans a promotion. Planning holds the writer lock, so plans of the same user run one at a
 * time.
 */
function planRoute(inTurn: ReturnType<typeof createKeyedMutex<string>>): Routes[number] {
  return route({
    ...common,
    url: `${PROMOTIONS}/plan`,
    summary: 'Previews copying parts of flags from another environment into this one; nothing is written.',
    description:
      'Requires one of the permissions to promote there, or to propose changes. The plans of a user run one at a time.',
    body: PromotionPlanRequest,
    replies: { 200: { description: 'The flags that would change', schema: PromotionPlan } },
    problems,
    handle: ({ params: { projectId: project, environment }, body: { from, features, parts }, access }, world) =>
      inTurn(access.actor.name, () =>
        planPromotion(world, access.actor, { project, environment, from, features, parts }),
      ),
  })
}
