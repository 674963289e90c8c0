import type { ApiToken, CreateToken } from '@burgee/protocol/access'
import type { TokenConnection } from '@burgee/protocol/administration/token-connection'
import { ask, call, path } from './http.ts'

const TOKENS = '/api/admin/api-tokens'

/** Tokens that the person may see, without their secrets, newest first. */
export const tokens = async () =>
  (await call<{ tokens: ApiToken[] }>('GET', TOKENS)).tokens.sort((a, b) => b.createdAt.localeCompare(a.createdAt))

/** Makes a token; its secret is in this reply and nowhere else. */
export const createToken = (body: CreateToken) => call<ApiToken>('POST', TOKENS, body)

/** The same by the right in one project, which the token is for. */
export const createProjectToken = (project: string, body: CreateToken) =>
  call<ApiToken>('POST', `/api/admin/projects${path(project)}/api-tokens`, body)

/** Who used a token last, for whoever has its secret. */
export const tokenConnection = (secret: string) => ask<TokenConnection>(`${TOKENS}/connection`, { secret })

/** Takes a token back; it stops working at once. */
export const revokeToken = (id: string) => call<void>('DELETE', `${TOKENS}${path(id)}`)
