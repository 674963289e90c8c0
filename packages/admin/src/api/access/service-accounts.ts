import type { CreatePersonalToken, NewPersonalToken } from '@burgee/protocol/access'
import type {
  CreateServiceAccount,
  ServiceAccount,
  UpdateServiceAccount,
} from '@burgee/protocol/administration/service-account'
import { call, path } from '../http.ts'

const ACCOUNTS = '/api/admin/service-account'

/** All service accounts with their tokens, by username. */
export const serviceAccounts = async () =>
  (await call<{ serviceAccounts: ServiceAccount[] }>('GET', ACCOUNTS)).serviceAccounts.sort((a, b) =>
    (a.username ?? '').localeCompare(b.username ?? ''),
  )

/** Makes a service account. */
export const createServiceAccount = (body: CreateServiceAccount) => call<ServiceAccount>('POST', ACCOUNTS, body)

/** Changes name and role of one. */
export const updateServiceAccount = (id: number, body: UpdateServiceAccount) =>
  call<ServiceAccount>('PUT', `${ACCOUNTS}${path(id)}`, body)

/** Removes one with its tokens, which stop working at once. */
export const removeServiceAccount = (id: number) => call<void>('DELETE', `${ACCOUNTS}${path(id)}`)

/** Makes a token for one; its secret is in this reply and nowhere else. */
export const createAccountToken = (id: number, body: CreatePersonalToken) =>
  call<NewPersonalToken>('POST', `${ACCOUNTS}${path(id, 'token')}`, body)

/** Takes a token back; it stops working at once. */
export const removeAccountToken = (id: number, token: number) =>
  call<void>('DELETE', `${ACCOUNTS}${path(id, 'token', token)}`)
