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
 * Turns flags on or off in one environment, for either all of the flags or none. `activate` enables their disabled
 * strategies.
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

/** Marks flags as stale or not stale, for either all of the flags or none. */
export const setAllStale = (project: string, features: readonly string[], stale: boolean) =>
  call<void>('POST', `${getProjectPath(project)}/stale`, { features, stale })

/** Adds tags to flags and removes other tags, atomically (all flags or none). */
export const changeAllTags = (project: string, features: readonly string[], tags: BulkTags['tags']) =>
  call<void>('PUT', `${getProjectPath(project)}/tags`, { features, tags })

/** Returns which of the flags are parents of other flags, and whether dependencies would be removed. */
export const checkArchive = (project: string, features: readonly string[]) =>
  call<ArchiveCheck>('POST', `${getProjectPath(project)}/archive/validate`, { features })

/** Archives either all of the flags or none. */
export const archiveAll = (project: string, features: readonly string[]) =>
  call<void>('POST', `${getProjectPath(project)}/archive`, { features })

/** Revives archived flags, for either all of the flags or none. */
export const reviveAll = (project: string, features: readonly string[]) =>
  call<void>('POST', `${getProjectPath(project)}/revive`, { features })

const STALE = '/api/admin/stale-flags'

/** Search query for flags that can be removed. */
export interface StaleQuery {
  /** All projects if undefined. */
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

/** Snoozes flags until a time, or ends the snooze (`null`), for either all of the flags or none. */
export const snoozeAll = (project: string, features: readonly string[], until: string | null) =>
  call<void>('POST', `${getProjectPath(project)}/snooze`, { features, until })
