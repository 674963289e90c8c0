import { Reply } from '@burgee/kit/http/route'
import { FeatureSearch, FoundFeatures } from '@burgee/protocol/search'
import type { Actor } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { READ, SEARCH } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, jsonReply, ProjectParams, requirePerson } from '../../core/http/route-parts.ts'
import { FEATURES, FeatureParams } from './feature-routes.ts'
import { setFavorite } from './set-favorite.ts'

const toViewContext = (now: number, { user, hidden }: Actor) => ({ now, userId: user?.id, hidden })

const PROBLEMS = [...READ, 'NoAccessError', 'InvalidOperationError']

/** Routes for flag search and favorites. Source: wire protocol */
export const searchRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/search/features',
    isHot: true,
    permission: null,
    tag: 'Features',
    summary: 'Searches flags of all projects by conditions and text, sorted, in pages.',
    description:
      'Conditions look like IS:a, IS_ANY_OF:a,b, IS_NOT:a; tags and segments INCLUDE:simple:a. mine=IS:true selects flags that the caller created or marked as favorites; an API token has none. A flag matches the query if each word occurs in its name, description or a tag; case and order do not matter. similar=true tolerates one typing error per word in names.',
    query: FeatureSearch,
    replies: { 200: { description: 'Flags, and how many there are', schema: FoundFeatures } },
    problems: SEARCH,
    handle: ({ query, access }, { flagPages, clock }) =>
      jsonReply(200, flagPages.search(query, toViewContext(clock(), access.actor))),
  }),
  ...(['POST', 'DELETE'] as const).flatMap((method) => [
    route({
      method,
      url: `${FEATURES}/:featureName/favorites`,
      permission: null,
      tag: 'Me',
      summary:
        method === 'POST'
          ? 'Adds a flag to the favorites of the current user.'
          : 'Removes a flag from the favorites of the current user.',
      params: FeatureParams,
      replies: DONE,
      problems: PROBLEMS,
      handle: async ({ params, access }, world) => {
        const favorite = { userId: requirePerson(access).id, project: params.projectId, feature: params.featureName }
        await execute(world, access.actor, setFavorite, { ...favorite, isOne: method === 'POST' })
        return new Reply(200)
      },
    }),
    route({
      method,
      url: '/api/admin/projects/:projectId/favorites',
      permission: null,
      tag: 'Me',
      summary:
        method === 'POST'
          ? 'Adds a project to the favorites of the current user.'
          : 'Removes a project from the favorites of the current user.',
      params: ProjectParams,
      replies: DONE,
      problems: PROBLEMS,
      handle: async ({ params, access }, world) => {
        const favorite = { userId: requirePerson(access).id, project: params.projectId }
        await execute(world, access.actor, setFavorite, { ...favorite, isOne: method === 'POST' })
        return new Reply(200)
      },
    }),
  ]),
]
