import type { CreatePersonalToken, NewPersonalToken } from '@burgee/protocol/access'
import type {
  CreateServiceAccount,
  ServiceAccount,
  UpdateServiceAccount,
} from '@burgee/protocol/administration/service-account'
import { buildPath, call } from '../http.ts'

const ACCOUNTS = '/api/admin/service-account'

/** Fetches all service accounts with their tokens, sorted by username. */
export const fetchServiceAccounts = async () =>
  (await call<{ serviceAccounts: ServiceAccount[] }>('GET', ACCOUNTS)).serviceAccounts.sort((a, b) =>
    (a.username ?? '').localeCompare(b.username ?? ''),
  )

/** Creates a service account. */
export const createServiceAccount = (body: CreateServiceAccount) => call<ServiceAccount>('POST', ACCOUNTS, body)

/** Changes the name and role of a service account. */
export const updateServiceAccount = (id: number, body: UpdateServiceAccount) =>
  call<ServiceAccount>('PUT', `${ACCOUNTS}${buildPath(id)}`, body)

/** Removes a service account. The tokens of the account stop working immediately. */
export const removeServiceAccount = (id: number) => call<void>('DELETE', `${ACCOUNTS}${buildPath(id)}`)

/** Creates a token for a service account. Only this reply contains the secret of the token. */
export const createAccountToken = (id: number, body: CreatePersonalToken) =>
  call<NewPersonalToken>('POST', `${ACCOUNTS}${buildPath(id, 'token')}`, body)

/** Revokes a token of a service account. The token stops working immediately. */
export const removeAccountToken = (id: number, token: number) =>
  call<void>('DELETE', `${ACCOUNTS}${buildPath(id, 'token', token)}`)
