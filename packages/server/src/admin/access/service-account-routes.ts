import { Reply } from '@burgee/kit/http/route'
import { CreatePersonalToken, NewPersonalToken, PersonalTokens } from '@burgee/protocol/access'
import {
  CreateServiceAccount,
  ServiceAccount,
  ServiceAccounts,
  UpdateServiceAccount,
} from '@burgee/protocol/administration/service-account'
import { MatrixQuery, PermissionMatrix } from '@burgee/protocol/user'
import { listPersonalTokens } from '@burgee/storage/queries/access/people'
import { listRoles } from '@burgee/storage/queries/access/roles'
import Type from 'typebox'
import { isRootType } from '../../core/access/rights/grants.ts'
import { createPersonalToken, removePersonalToken, toPersonalToken } from '../../core/access/tokens/personal-tokens.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, parseId } from '../../core/http/route-parts.ts'
import {
  createServiceAccount,
  readServiceAccounts,
  removeServiceAccount,
  requireServiceAccount,
  toServiceAccount,
  updateServiceAccount,
} from './people/service-accounts.ts'
import { readPermissionMatrix } from './rights/permission-matrix.ts'

const ACCOUNTS = '/api/admin/service-account'
const common = { permission: 'ADMIN', tag: 'Service accounts' } as const
const params = Type.Object({ accountId: Type.String() })
const one = { ...common, url: `${ACCOUNTS}/:accountId`, params } as const
const tokens = { ...one, url: `${ACCOUNTS}/:accountId/token` } as const
const account = { description: 'The account', schema: ServiceAccount }

const parseAccountId = ({ accountId }: { readonly accountId: string }) => parseId(accountId, 'service account')

/**
 * Routes for service accounts. Service accounts have no password; their tokens have the rights of the account. Source:
 * wire protocol
 */
export const serviceAccountRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: ACCOUNTS,
    summary: 'Lists service accounts with their tokens, and the available roles.',
    replies: { 200: { description: 'Accounts', schema: ServiceAccounts } },
    problems: GUARDED_LIST,
    handle: (_input, world) =>
      world.db.view(async (reader) => ({
        serviceAccounts: await readServiceAccounts(reader),
        rootRoles: (await listRoles(reader)).filter(({ type }) => isRootType(type)),
      })),
  }),
  route({
    ...common,
    method: 'POST',
    url: ACCOUNTS,
    summary: 'Creates a service account.',
    body: CreateServiceAccount,
    replies: { 201: account },
    problems: [...GUARDED_LIST, 'ValidationError', 'NameExistsError', 'ContentTypeerror'],
    handle: async ({ body, access }, world) => {
      const row = await execute(world, access.actor, createServiceAccount, body)
      return Reply.json(201, toServiceAccount(row, []), { location: `service-account/${row.id}` })
    },
  }),
  route({
    ...one,
    method: 'GET',
    url: `${ACCOUNTS}/:accountId/permissions`,
    summary: 'Lists the permissions of a service account: global, in a project, and in an environment of the project.',
    query: MatrixQuery,
    replies: { 200: { description: 'All permissions', schema: PermissionMatrix } },
    problems: [...REMOVE, 'ValidationError'],
    handle: ({ params, query }, world) =>
      world.db.view(async (reader) => {
        const { id: userId } = await requireServiceAccount(reader, parseAccountId(params))
        return readPermissionMatrix(reader, { userId, ...query })
      }),
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Updates name and role of a service account; its username cannot change.',
    body: UpdateServiceAccount,
    replies: { 200: account },
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      const row = await execute(world, access.actor, updateServiceAccount, { id: parseAccountId(params), body })
      return toServiceAccount(row, await listPersonalTokens(world.db.reader, row.id))
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a service account and its tokens, which stop working at once.',
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeServiceAccount, { id: parseAccountId(params) })
      return new Reply(200)
    },
  }),
  route({
    ...tokens,
    method: 'GET',
    summary: 'Lists the tokens of a service account, without their secrets.',
    replies: { 200: { description: 'Tokens', schema: PersonalTokens } },
    problems: REMOVE,
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        const { id } = await requireServiceAccount(reader, parseAccountId(params))
        return { pats: (await listPersonalTokens(reader, id)).map(toPersonalToken) }
      }),
  }),
  route({
    ...tokens,
    method: 'POST',
    summary: 'Creates a token with the permissions of the account; only this response contains its secret.',
    body: CreatePersonalToken,
    replies: { 201: { description: 'The token with its secret', schema: NewPersonalToken } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ params, body, access }, world) => {
      const { personalTokensLimit: max, personalTokenLifetimeDays: lifetimeDays } = world.options
      const { id: userId } = await requireServiceAccount(world.db.reader, parseAccountId(params))
      const input = { userId, body, bounds: { max, lifetimeDays } }
      const { row, secret } = await execute(world, access.actor, createPersonalToken, input)
      return Reply.json(201, { ...toPersonalToken(row), secret })
    },
  }),
  route({
    ...tokens,
    method: 'DELETE',
    url: `${ACCOUNTS}/:accountId/token/:tokenId`,
    summary: 'Deletes a token of a service account; it stops working at once.',
    params: Type.Object({ ...params.properties, tokenId: Type.String() }),
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params: target, access }, world) => {
      const { id: userId } = await requireServiceAccount(world.db.reader, parseAccountId(target))
      await execute(world, access.actor, removePersonalToken, { userId, id: parseId(target.tokenId, 'token') })
      return new Reply(200)
    },
  }),
]
