import type { ApiToken, CreateToken } from '@burgee/protocol/access'
import type { TokenConnection } from '@burgee/protocol/administration/token-connection'
import { buildPath, call, postQuery } from './http.ts'

const TOKENS = '/api/admin/api-tokens'

/** Fetches the tokens that the user may see, without secrets, newest first. */
export const fetchTokens = async () =>
  (await call<{ tokens: ApiToken[] }>('GET', TOKENS)).tokens.sort((a, b) => b.createdAt.localeCompare(a.createdAt))

/** Fetches the tokens that give access to a project: tokens of the project, and tokens for all projects. */
export const fetchProjectTokens = async (project: string) =>
  (await call<{ tokens: ApiToken[] }>('GET', `/api/admin/projects${buildPath(project)}/api-tokens?wildcard=true`))
    .tokens

/** Creates a token. Only this reply contains the secret of the token. */
export const createToken = (body: CreateToken) => call<ApiToken>('POST', TOKENS, body)

/** Creates a token for one project. The user needs the permission only in this project. */
export const createProjectToken = (project: string, body: CreateToken) =>
  call<ApiToken>('POST', `/api/admin/projects${buildPath(project)}/api-tokens`, body)

/** Returns the last caller that used a token. Requires the secret of the token. */
export const fetchTokenConnection = (secret: string) => postQuery<TokenConnection>(`${TOKENS}/connection`, { secret })

/** Revokes a token. The token stops working immediately. */
export const revokeToken = (id: string) => call<void>('DELETE', `${TOKENS}${buildPath(id)}`)

/** Revokes a token of a project. The user needs the permission only in the projects of the token. */
export const revokeProjectToken = (project: string, id: string) =>
  call<void>('DELETE', `/api/admin/projects${buildPath(project)}/api-tokens${buildPath(id)}`)
