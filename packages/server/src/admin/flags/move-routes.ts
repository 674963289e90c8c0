import { Reply } from '@burgee/kit/http/route'
import { MoveFeature } from '@burgee/protocol/batch'
import { requirePermission } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import { FEATURES, FeatureParams, toFeatureRef } from './feature-routes.ts'
import { moveFeature } from './moves.ts'

const MOVE = 'MOVE_FEATURE_TOGGLE'

/** Route that moves flags between projects. Source: wire protocol */
export const moveRoutes: Routes = [
  route({
    method: 'POST',
    url: `${FEATURES}/:featureName/changeProject`,
    permission: MOVE,
    tag: 'Features',
    summary: 'Moves a flag with all its data to another project.',
    description:
      'Requires the permission in both projects. Fails if the new project does not use an environment that the flag uses, if the flag has a parent or children, or if it uses a segment of its project.',
    params: FeatureParams,
    body: MoveFeature,
    replies: DONE,
    problems: [...WRITE, 'InvalidOperationError'],
    handle: async ({ params, body: { newProjectId: newProject }, access }, world) => {
      requirePermission(access.actor, MOVE, { project: newProject })
      await execute(world, access.actor, moveFeature, { ...toFeatureRef(params), newProject })
      return new Reply(200)
    },
  }),
]
