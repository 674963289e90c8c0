import type { ApplicationDetails, ApplicationOverview, Applications } from '@burgee/protocol/application'
import type { InstanceStatistics } from '@burgee/protocol/statistics'
import type { CorsSettings, MaintenanceMode, UiConfig } from '@burgee/protocol/ui-config'
import type { UnknownFlags } from '@burgee/protocol/usage'
import { ApiError, call, path, queryOf } from './http.ts'

/** What the server is and how much it holds. */
export const statistics = () => call<InstanceStatistics>('GET', '/api/admin/instance-admin/statistics')

/** Whether the process lives, and whether its database answers. */
export async function health(): Promise<{ process: boolean; database: boolean }> {
  const [process, database] = await Promise.all(['/health', '/ready'].map(isGood))
  return { process: process === true, database: database === true }
}

async function isGood(where: string): Promise<boolean> {
  try {
    return (await call<{ health: string }>('GET', where)).health === 'GOOD'
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Applications whose name holds the text, by name, and how many there are. */
export const applications = (text: string, limit: number) =>
  call<Applications>('GET', `/api/admin/metrics/applications${queryOf({ query: text, limit })}`)

/** One application, with its processes and the flags it asks for. */
export const application = (name: string) =>
  call<ApplicationDetails>('GET', `/api/admin/metrics/applications${path(name)}`)

/** Where an application runs, and what may be wrong with it. */
export const applicationOverview = (name: string) =>
  call<ApplicationOverview>('GET', `/api/admin/metrics/applications${path(name)}/overview`)

/** Names that SDKs ask for and that no flag has, the newest first. */
export const unknownFlags = () => call<UnknownFlags>('GET', '/api/admin/metrics/unknown-flags')

/** Origins of web pages that may ask for flags; `*` is all. */
export const origins = async (): Promise<readonly string[]> =>
  (await call<UiConfig>('GET', '/api/admin/ui-config')).frontendApiOrigins

/** Says which web pages may ask for flags. */
export const setOrigins = (body: CorsSettings) => call<void>('POST', '/api/admin/ui-config/cors', body)

const MAINTENANCE = '/api/admin/maintenance'

/** Whether administration changes nothing for now, as everybody may know. */
export const isInMaintenance = async (): Promise<boolean> =>
  (await call<{ maintenanceMode: boolean }>('GET', '/api/admin/ui-config')).maintenanceMode

/** Says whether administration changes nothing for now. */
export const setMaintenance = (enabled: boolean) =>
  call<void>('POST', MAINTENANCE, { enabled } satisfies MaintenanceMode)
