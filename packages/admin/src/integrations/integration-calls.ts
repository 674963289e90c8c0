import type {
  Integration,
  IntegrationEvent,
  IntegrationInput,
  Integrations,
} from '@burgee/protocol/administration/integration'
import { call, path, readTagged } from '../api/http.ts'

const ADDONS = '/api/admin/addons'

/** All integrations, how they stand, and the kinds that there are. */
export const integrations = () => call<Integrations>('GET', ADDONS)

/** The query of that; deliveries make no event, so it is asked again every few seconds. */
export const INTEGRATIONS = { queryKey: ['integrations'], queryFn: integrations, refetchInterval: 10_000 } as const

/** One integration as it is now, and its state. */
export const integration = (id: number) => readTagged<Integration>(`${ADDONS}${path(id)}`)

/** Adds an integration. */
export const createIntegration = (body: IntegrationInput) => call<Integration>('POST', ADDONS, body)

/** Replaces an integration that is still in the state `ifMatch`; else 412. */
export const replaceIntegration = (id: number, body: IntegrationInput, ifMatch?: string) =>
  call<Integration>('PUT', `${ADDONS}${path(id)}`, body, ifMatch)

/** Turns an integration on or off; nothing else of it changes. */
export async function switchIntegration(id: number, enabled: boolean): Promise<void> {
  const { value, etag } = await integration(id)
  await replaceIntegration(id, { ...value, enabled }, etag)
}

/** Removes an integration, with what waits for it. */
export const removeIntegration = (id: number) => call<void>('DELETE', `${ADDONS}${path(id)}`)

/** The last tries to deliver, newest first. */
export const deliveries = async (id: number) =>
  (await call<{ integrationEvents: IntegrationEvent[] }>('GET', `${ADDONS}${path(id, 'events')}`)).integrationEvents

/** Sends an event that never happened, at once, and says what became of it. */
export const testIntegration = (id: number) => call<IntegrationEvent>('POST', `${ADDONS}${path(id, 'test')}`)
