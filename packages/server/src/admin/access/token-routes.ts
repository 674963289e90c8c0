import { Reply } from '@burgee/kit/http/route'
import { ApiToken, ApiTokens, CreateToken, UpdateToken } from '@burgee/protocol/access'
import { TokenConnection, TokenSecret } from '@burgee/protocol/administration/token-connection'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { listTokens } from '@burgee/storage/queries/access/tokens'
import { hasAnyProject } from '@burgee/storage/queries/projects/private-projects'
import Type from 'typebox'
import { rejectHiddenProjects } from '../../core/access/rights/hidden-projects.ts'
import { type Actor, requirePermission } from '../../core/access/rights/rights.ts'
import {
  createToken,
  createUnknownToken,
  findToken,
  hashSecret,
  removeToken,
  setExpiry,
  toApiToken,
  toListedTokens,
  toNewToken,
} from '../../core/access/tokens/tokens.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, READ } from '../../core/http/problem-lists.ts'
import { toGuessProblem } from '../../core/http/rate-limit-replies.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { readTokenConnection } from './tokens/token-connection.ts'
import { filterPermittedTokens, getTokenPermission, isTokenVisible } from './tokens/token-rights.ts'

const TOKENS = '/api/admin/api-tokens'

/**
 * Throws NoAccessError if a token would give access to projects that are hidden from the actor, because anyone with the
 * token can read these projects.
 */
async function refuseHidden(reader: Reader, { hidden }: Actor, projects: readonly string[]): Promise<void> {
  rejectHiddenProjects(hidden, projects)
  if (!projects.includes('*') || !(await hasAnyProject(reader, hidden))) return
  const message = 'There are private projects that you are not a member of: list the projects that the token is for.'
  throw new Problem('NoAccessError', message, { details: [{ message, path: 'body/projects' }] })
}

/**
 * Routes for the API tokens of all projects. Replies contain the secret only at creation, unless the server is
 * configured to keep token secrets readable. Source: wire protocol
 */
export const tokenRoutes: Routes = [
  route({
    method: 'GET',
    url: TOKENS,
    permission: 'READ_CLIENT_API_TOKEN',
    tag: 'Access',
    summary: 'Lists API tokens that the caller may see; with their secrets only if API_TOKEN_SECRETS is readable.',
    replies: { 200: { description: 'Tokens', schema: ApiTokens } },
    problems: GUARDED_LIST,
    handle: ({ access }, world) =>
      world.db.view(async (reader) => ({
        tokens: await toListedTokens(
          world,
          reader,
          filterPermittedTokens(access.actor, 'READ', await listTokens(reader)),
          access.actor.hidden,
        ),
      })),
  }),
  route({
    method: 'POST',
    url: TOKENS,
    permission: 'CREATE_CLIENT_API_TOKEN',
    tag: 'Access',
    summary:
      'Creates an API token; its secret is in this response, and in lists only if API_TOKEN_SECRETS is readable.',
    body: CreateToken,
    replies: { 201: { description: 'The token with its secret', schema: ApiToken } },
    problems: [...GUARDED_LIST, 'ValidationError', 'ConflictError', 'ContentTypeerror'],
    handle: async ({ body, access }, world) => {
      const wanted = toNewToken(body)
      requirePermission(access.actor, getTokenPermission('CREATE', wanted.type))
      await refuseHidden(world.db.reader, access.actor, wanted.projects)
      const { row, secret } = await execute(world, access.actor, createToken, wanted)
      return Reply.json(201, { ...toApiToken(row), secret }, { location: 'api-tokens' })
    },
  }),
  route({
    method: 'POST',
    url: `${TOKENS}/connection`,
    permission: null,
    tag: 'Access',
    summary:
      "Lists the applications that recently used a token, and the flags that they evaluate; requires the token's secret.",
    body: TokenSecret,
    replies: { 200: { description: 'The last use', schema: TokenConnection } },
    problems: [...READ, 'ValidationError', 'ContentTypeerror', 'RateLimitError'],
    handle: async ({ body, access, caller }, { db, limits }) => {
      const [row] = await listTokens(db.reader, { column: 'hash', value: hashSecret(body.secret.trim()) })
      if (row === undefined) throw toGuessProblem(createUnknownToken(), limits.wrongToken(caller))
      // the secret of a frontend token is visible in each page that uses it, so the reply must not reveal hidden
      // projects to callers who know the secret
      if (!isTokenVisible(access.actor, row)) throw createUnknownToken()
      return db.view((reader) => readTokenConnection(reader, row, access.actor.hidden))
    },
  }),
  route({
    method: 'GET',
    url: `${TOKENS}/:token`,
    permission: 'READ_CLIENT_API_TOKEN',
    tag: 'Access',
    summary: 'Lists API tokens with this name that the caller may see; names need not be unique.',
    params: Type.Object({ token: Type.String() }),
    replies: { 200: { description: 'Tokens', schema: ApiTokens } },
    problems: GUARDED_LIST,
    handle: ({ params: { token: name }, access }, world) =>
      world.db.view(async (reader) => {
        const rows = await listTokens(reader, { column: 'name', value: name })
        return {
          tokens: await toListedTokens(
            world,
            reader,
            filterPermittedTokens(access.actor, 'READ', rows),
            access.actor.hidden,
          ),
        }
      }),
  }),
  route({
    method: 'PUT',
    url: `${TOKENS}/:token`,
    permission: 'UPDATE_CLIENT_API_TOKEN',
    tag: 'Access',
    summary:
      'Changes the expiry of a token, identified by its secret, its id or its masked form in lists; a time in the past ends the token at once.',
    params: Type.Object({ token: Type.String() }),
    body: UpdateToken,
    replies: { 200: { description: 'Done' } },
    problems: [...GUARDED_LIST, 'NotFoundError', 'ConflictError', 'ValidationError', 'ContentTypeerror'],
    handle: async ({ params: { token }, body, access }, world) => {
      const row = await findToken(world.db.reader, token)
      if (row !== undefined && !isTokenVisible(access.actor, row)) throw createUnknownToken()
      if (row !== undefined) requirePermission(access.actor, getTokenPermission('UPDATE', row.type))
      await execute(world, access.actor, setExpiry, { token, body })
      return new Reply(200)
    },
  }),
  route({
    method: 'DELETE',
    url: `${TOKENS}/:token`,
    permission: 'DELETE_CLIENT_API_TOKEN',
    tag: 'Access',
    summary:
      'Removes a token, identified by its secret, its id or its masked form in lists; it stops working at once. Unknown tokens are ignored.',
    params: Type.Object({ token: Type.String() }),
    replies: { 200: { description: 'Removed' } },
    problems: [...GUARDED_LIST, 'ConflictError'],
    handle: async ({ params, access }, world) => {
      const row = await findToken(world.db.reader, params.token)
      if (row !== undefined && !isTokenVisible(access.actor, row)) return new Reply(200)
      if (row !== undefined) requirePermission(access.actor, getTokenPermission('DELETE', row.type))
      await execute(world, access.actor, removeToken, params)
      return new Reply(200)
    },
  }),
]
