import { Reply } from '@burgee/kit/http/route'
import { ApiToken, ApiTokens, CreateToken } from '@burgee/protocol/access'
import Type from 'typebox'
import {
  createProjectToken,
  findProjectTokens,
  removeProjectToken,
  toApiToken,
  toListedTokens,
} from '../../core/access/tokens/tokens.ts'
import { execute } from '../../core/execute.ts'
import { REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ProjectParams } from '../../core/http/route-parts.ts'

const TOKENS = '/api/admin/projects/:projectId/api-tokens'

const ProjectTokensQuery = Type.Object({ wildcard: Type.Optional(Type.Boolean()) })

/** Routes for the API tokens of a project. Source: wire protocol; spec "Admin API endpoints" */
export const projectTokenRoutes: Routes = [
  route({
    method: 'GET',
    url: TOKENS,
    permission: 'READ_PROJECT_API_TOKEN',
    tag: 'Access',
    summary:
      'Lists API tokens for this project, including tokens for several projects; with their secrets only if API_TOKEN_SECRETS is readable.',
    description:
      'With `wildcard=true` also SDK tokens for all projects, which open this one as well; their secrets are never shown here.',
    params: ProjectParams,
    query: ProjectTokensQuery,
    replies: { 200: { description: 'Tokens', schema: ApiTokens } },
    problems: [...REMOVE, 'ValidationError'],
    handle: ({ params, query, access: { actor } }, world) =>
      world.db.view(async (reader) => {
        const { named, wildcard } = await findProjectTokens(reader, params.projectId)
        const listed = await toListedTokens(world, reader, named, actor.hidden)
        return { tokens: query.wildcard === true ? [...listed, ...wildcard.map(toApiToken)] : listed }
      }),
  }),
  route({
    method: 'POST',
    url: TOKENS,
    permission: 'CREATE_PROJECT_API_TOKEN',
    tag: 'Access',
    summary:
      'Creates a token for this project; its secret is in this response, and in lists only if API_TOKEN_SECRETS is readable.',
    params: ProjectParams,
    body: CreateToken,
    replies: { 201: { description: 'The token with its secret', schema: ApiToken } },
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ params, body, access }, world) => {
      const input = { project: params.projectId, body }
      const { row, secret } = await execute(world, access.actor, createProjectToken, input)
      return Reply.json(201, { ...toApiToken(row), secret }, { location: 'api-tokens' })
    },
  }),
  route({
    method: 'DELETE',
    url: `${TOKENS}/:token`,
    permission: 'DELETE_PROJECT_API_TOKEN',
    tag: 'Access',
    summary:
      'Removes a token of this project, identified by its secret, its id or its masked form in lists; unknown tokens are ignored.',
    description:
      'If the token is also for other projects, requires the permission in each of them. 400 for a token for all projects.',
    params: Type.Object({ projectId: Type.String(), token: Type.String() }),
    replies: { 200: { description: 'Deleted, or not found' } },
    problems: [...REMOVE, 'ValidationError', 'ConflictError'],
    handle: async ({ params, access }, world) => {
      const input = { project: params.projectId, token: params.token, rights: access.actor }
      await execute(world, access.actor, removeProjectToken, input)
      return new Reply(200)
    },
  }),
]
