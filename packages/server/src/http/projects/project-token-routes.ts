import { Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { ApiToken, ApiTokens, CreateToken } from '@burgee/protocol/access'
import Type from 'typebox'
import { createProjectToken, projectTokens, removeProjectToken, tokenView } from '../../services/access/tokens.ts'
import { execute } from '../../services/execute.ts'
import type { World } from '../../services/world.ts'
import type { Access } from '../access/auth.ts'
import { ProjectParams, REMOVE, WRITE } from '../route-parts.ts'

const route = routesFor<Access>()
const TOKENS = '/api/admin/projects/:projectId/api-tokens'

/** API tokens of one project. Source: wire protocol; spec "Admin API endpoints" */
export const projectTokenRoutes = (world: World): Route<Access>[] => [
  route({
    method: 'GET',
    url: TOKENS,
    permission: 'READ_PROJECT_API_TOKEN',
    tag: 'Access',
    summary: 'API tokens for this project alone or among others, without their secrets.',
    params: ProjectParams,
    replies: { 200: { description: 'Tokens', schema: ApiTokens } },
    problems: REMOVE,
    handle: async ({ params }) => {
      const rows = await world.db.view((reader) => projectTokens(reader, params.projectId))
      return { tokens: rows.map(tokenView) }
    },
  }),
  route({
    method: 'POST',
    url: TOKENS,
    permission: 'CREATE_PROJECT_API_TOKEN',
    tag: 'Access',
    summary: 'Makes a token for this project; its secret is in this reply and nowhere else.',
    params: ProjectParams,
    body: CreateToken,
    replies: { 201: { description: 'The token with its secret', schema: ApiToken } },
    problems: WRITE,
    handle: async ({ params, body, access }) => {
      const input = { project: params.projectId, body }
      const { row, secret } = await execute(world, access.actor, createProjectToken, input)
      return Reply.json(201, { ...tokenView(row), secret }, { location: 'api-tokens' })
    },
  }),
  route({
    method: 'DELETE',
    url: `${TOKENS}/:token`,
    permission: 'DELETE_PROJECT_API_TOKEN',
    tag: 'Access',
    summary:
      'Removes a token of exactly this project, named by its secret, its id or what lists show of it. Unknown: nothing happens.',
    params: Type.Object({ projectId: Type.String(), token: Type.String() }),
    replies: { 200: { description: 'Removed, or never there' } },
    problems: [...REMOVE, 'ValidationError', 'ConflictError'],
    handle: async ({ params, access }) => {
      await execute(world, access.actor, removeProjectToken, { project: params.projectId, token: params.token })
      return new Reply(200)
    },
  }),
]
