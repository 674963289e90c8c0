import type { StaleCount, StaleFlags, StaleReason } from '@burgee/protocol/administration/stale-flags'
import type { BulkTags } from '@burgee/protocol/event'
import { ACTIVATE } from './flags.ts'
import { buildPath, buildQueryString, call } from './http.ts'

/** Consequences of archiving flags. */
export interface ArchiveCheck {
  readonly parentsWithChildFeatures: readonly string[]
  readonly hasDeletedDependencies: boolean
}

const getProjectPath = (project: string) => buildPath('api', 'admin', 'projects', project)

/**
 * Turns flags on or off in one environment, atomically (all flags or none). With `activate`, also enables the disabled
 * strategies of the flags.
 */
export function setAllEnabled(
  { project, environment }: { readonly project: string; readonly environment: string },
  features: readonly string[],
  on: boolean,
  activate = false,
): Promise<void> {
  const place = `${getProjectPath(project)}/bulk_features${buildPath('environments', environment, on ? 'on' : 'off')}`
  return call<void>('POST', `${place}${activate ? ACTIVATE : ''}`, { features })
}

/** Marks flags as stale or not stale, atomically (all flags or none). */
export const setAllStale = (project: string, features: readonly string[], stale: boolean) =>
  call<void>('POST', `${getProjectPath(project)}/stale`, { features, stale })

/** Adds tags to flags and removes other tags, atomically (all flags or none). */
export const changeAllTags = (project: string, features: readonly string[], tags: BulkTags['tags']) =>
  call<void>('PUT', `${getProjectPath(project)}/tags`, { features, tags })

/**
 * Checks the consequences of archiving flags: which flags have child flags, and whether dependencies would be removed.
 */
export const checkArchive = (project: string, features: readonly string[]) =>
  call<ArchiveCheck>('POST', `${getProjectPath(project)}/archive/validate`, { features })

/** Archives flags, atomically (all flags or none). */
export const archiveAll = (project: string, features: readonly string[]) =>
  call<void>('POST', `${getProjectPath(project)}/archive`, { features })

/** Revives archived flags, atomically (all flags or none). */
export const reviveAll = (project: string, features: readonly string[]) =>
  call<void>('POST', `${getProjectPath(project)}/revive`, { features })

const STALE = '/api/admin/stale-flags'

/** Search query for flags that can be removed. */
export interface StaleQuery {
  /** Project that contains the flags. If undefined, the search covers all projects. */
  readonly project: string | undefined
  readonly reason: StaleReason['kind'] | undefined
  readonly snoozed: boolean
  readonly limit: number
}

/** Fetches flags that can be removed, with the total. */
export const fetchStaleFlags = ({ snoozed, ...query }: StaleQuery) =>
  call<StaleFlags>('GET', `${STALE}${buildQueryString({ ...query, snoozed: snoozed ? 'true' : undefined })}`)

/** Counts the flags of a project that can be removed. */
export const fetchStaleCount = (project: string) =>
  call<StaleCount>('GET', `${STALE}/count${buildQueryString({ project })}`)

/** Snoozes flags until the given time, or ends the snooze (`null`), atomically (all flags or none). */
export const snoozeAll = (project: string, features: readonly string[], until: string | null) =>
  call<void>('POST', `${getProjectPath(project)}/snooze`, { features, until })
