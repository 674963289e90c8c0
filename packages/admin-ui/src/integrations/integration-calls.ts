import type {
  Integration,
  IntegrationEvent,
  IntegrationInput,
  Integrations,
} from '@burgee/protocol/administration/integration'
import { buildPath, call, fetchWithEtag } from '../api/http.ts'

const ADDONS = '/api/admin/addons'

/** Fetches all integrations with their status and the available providers. */
export const fetchIntegrations = () => call<Integrations>('GET', ADDONS)

/** Query for all integrations. Polls, because deliveries create no events. */
export const INTEGRATIONS = { queryKey: ['integrations'], queryFn: fetchIntegrations, refetchInterval: 10_000 } as const

/** Fetches one integration with its ETag. */
export const fetchIntegration = (id: number) => fetchWithEtag<Integration>(`${ADDONS}${buildPath(id)}`)

/** Creates an integration. */
export const createIntegration = (body: IntegrationInput) => call<Integration>('POST', ADDONS, body)

/** Replaces an integration. Fails with 412 if the integration no longer matches `ifMatch`. */
export const replaceIntegration = (id: number, body: IntegrationInput, ifMatch?: string) =>
  call<Integration>('PUT', `${ADDONS}${buildPath(id)}`, body, ifMatch)

/** Turns an integration on or off without other changes. */
export async function setIntegrationEnabled(id: number, enabled: boolean): Promise<void> {
  const { value, etag } = await fetchIntegration(id)
  await replaceIntegration(id, { ...value, enabled }, etag)
}

/** Removes an integration with its pending deliveries. */
export const removeIntegration = (id: number) => call<void>('DELETE', `${ADDONS}${buildPath(id)}`)

/** Fetches the latest delivery attempts, newest first. */
export const fetchDeliveries = async (id: number) =>
  (await call<{ integrationEvents: IntegrationEvent[] }>('GET', `${ADDONS}${buildPath(id, 'events')}`))
    .integrationEvents

/** Sends a test event immediately and returns the result. */
export const testIntegration = (id: number) => call<IntegrationEvent>('POST', `${ADDONS}${buildPath(id, 'test')}`)
