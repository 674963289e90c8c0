import type { ApplicationDetails, ApplicationOverview, Applications } from '@burgee/protocol/application'
import type { InstanceStatistics } from '@burgee/protocol/statistics'
import type { CorsSettings, MaintenanceMode, UiConfig } from '@burgee/protocol/ui-config'
import type { UnknownFlags } from '@burgee/protocol/usage'
import { ApiError, buildPath, buildQueryString, call } from './http.ts'

/** Fetches the version and the statistics of the server. */
export const fetchStatistics = () => call<InstanceStatistics>('GET', '/api/admin/instance-admin/statistics')

/** Checks whether the process is alive and whether its database responds. */
export async function fetchHealth(): Promise<{ process: boolean; database: boolean }> {
  const [process, database] = await Promise.all(['/health', '/ready'].map(isHealthy))
  return { process: process === true, database: database === true }
}

async function isHealthy(where: string): Promise<boolean> {
  try {
    return (await call<{ health: string }>('GET', where)).health === 'GOOD'
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Fetches applications whose name contains the text, sorted by name, with the total. */
export const fetchApplications = (text: string, limit: number) =>
  call<Applications>('GET', `/api/admin/metrics/applications${buildQueryString({ query: text, limit })}`)

/** Fetches one application with its instances and the flags that it requests. */
export const fetchApplication = (name: string) =>
  call<ApplicationDetails>('GET', `/api/admin/metrics/applications${buildPath(name)}`)

/** Fetches the environments in which an application runs, and its possible issues. */
export const fetchApplicationOverview = (name: string) =>
  call<ApplicationOverview>('GET', `/api/admin/metrics/applications${buildPath(name)}/overview`)

/** Fetches flag names that SDKs request but that do not exist, newest first. */
export const fetchUnknownFlags = () => call<UnknownFlags>('GET', '/api/admin/metrics/unknown-flags')

/** Fetches the origins of web pages that may request flags. `*` allows all origins. */
export const fetchOrigins = async (): Promise<readonly string[]> =>
  (await call<UiConfig>('GET', '/api/admin/ui-config')).frontendApiOrigins

/** Sets which web pages may request flags. */
export const setOrigins = (body: CorsSettings) => call<void>('POST', '/api/admin/ui-config/cors', body)

const MAINTENANCE = '/api/admin/maintenance'

/** Returns true if maintenance mode is on. Needs no permission. */
export const fetchIsInMaintenance = async (): Promise<boolean> =>
  (await call<{ maintenanceMode: boolean }>('GET', '/api/admin/ui-config')).maintenanceMode

/** Turns maintenance mode on or off. */
export const setMaintenance = (enabled: boolean) =>
  call<void>('POST', MAINTENANCE, { enabled } satisfies MaintenanceMode)
