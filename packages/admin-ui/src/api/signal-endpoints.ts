import type { SignalEndpoint, SignalEndpointInput } from '@burgee/protocol/administration/signal-endpoint'
import { buildPath, call } from './http.ts'

const ENDPOINTS = '/api/admin/signal-endpoints'

/** New signal endpoint with its token, which is returned only once. */
export type CreatedEndpoint = SignalEndpoint & { readonly token: string }

/** Query for all signal endpoints. */
export const SIGNAL_ENDPOINTS = {
  queryKey: ['signal-endpoints'],
  queryFn: () => call<SignalEndpoint[]>('GET', ENDPOINTS),
} as const

/** Creates a signal endpoint. */
export const createSignalEndpoint = (body: SignalEndpointInput) => call<CreatedEndpoint>('POST', ENDPOINTS, body)

/** Deletes a signal endpoint. Its token is rejected immediately. */
export const removeSignalEndpoint = (name: string) => call<void>('DELETE', `${ENDPOINTS}${buildPath(name)}`)
