import { Reply } from '@burgee/kit/http/route'
import { FlagEdit, Impact } from '@burgee/protocol/administration/impact'
import { WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readEditedFlag, requireEditPermission } from '../impact/edited-flag.ts'
import { NOT_SAMPLED } from '../impact/impact.ts'
import { ENVIRONMENT, EnvironmentParams, toEnvironmentRef } from './feature-routes.ts'

/**
 * Route that previews how an edit of a flag changes its result for contexts that this node has sampled. The route is
 * not part of the wire protocol.
 */
export const impactRoutes: Routes = [
  route({
    method: 'POST',
    url: `${ENVIRONMENT}/impact`,
    permission: null,
    tag: 'Features',
    summary: 'Returns the impact of an edit on evaluations sampled by this node; nothing is saved.',
    description:
      'Requires the permission to save the edit, and rejects edits that could not be saved. If the contexts of the environment are ' +
      'not sampled, `sampling` is false and nothing is counted. A count of fewer than five different users is null.',
    params: EnvironmentParams,
    body: FlagEdit,
    replies: { 200: { description: 'Counts, without any contexts', schema: Impact } },
    problems: WRITE,
    handle: async ({ params, body, access, caller }, world) => {
      const ref = toEnvironmentRef(params)
      requireEditPermission(access.actor, ref, body)
      const edited = await world.db.view((reader) => readEditedFlag(reader, ref, body))
      const sample = world.traffic.get(ref.environment)
      if (sample === undefined) return NOT_SAMPLED
      const answer = await world.impacts.evaluate(edited, sample, () => caller.exit?.isGone === true)
      return answer ?? new Reply(503)
    },
  }),
]
