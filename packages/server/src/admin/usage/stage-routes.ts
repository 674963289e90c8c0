import { Reply } from '@burgee/kit/http/route'
import { CompleteFeature, FeatureStages } from '@burgee/protocol/administration/feature-stage'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { READ, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import { FEATURES, FeatureParams, toFeatureRef } from '../flags/feature-routes.ts'
import { writeEventBrief } from '../removal/brief.ts'
import { readRemoval } from '../removal/removal.ts'
import { completeFeature, readFeatureStages, uncompleteFeature } from './feature-stages.ts'

const STAGES = `${FEATURES}/:featureName/lifecycle`
const common = { tag: 'Features', params: FeatureParams } as const
const write = { ...common, method: 'POST', permission: 'UPDATE_FEATURE', replies: DONE, problems: WRITE } as const

/**
 * Routes that list the lifecycle stages of a flag, mark the flag as completed, and undo that mark. Source: wire
 * protocol
 */
export const stageRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: STAGES,
    permission: null,
    summary:
      'Lists lifecycle stages of a flag with their times: created, evaluated, live in production, completed, archived.',
    replies: { 200: { description: 'Stages by time', schema: FeatureStages } },
    problems: READ,
    handle: ({ params }, world) => world.db.view((reader) => readFeatureStages(reader, toFeatureRef(params))),
  }),
  route({
    ...write,
    url: `${STAGES}/complete`,
    summary: 'Marks a flag as completed, and whether the code keeps the feature.',
    description: 'The event contains instructions for removing the flag from the code, as Markdown in `data.brief`.',
    body: CompleteFeature,
    handle: async ({ params, body, access }, world) => {
      const ref = toFeatureRef(params)
      const brief = writeEventBrief(ref, await readRemoval(world, ref))
      await execute(world, access.actor, completeFeature, { ...ref, body, brief })
      return new Reply(200)
    },
  }),
  route({
    ...write,
    url: `${STAGES}/uncomplete`,
    summary: 'Removes the completed mark of a flag.',
    body: Type.Object({}),
    bodyOptional: true,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, uncompleteFeature, toFeatureRef(params))
      return new Reply(200)
    },
  }),
]
