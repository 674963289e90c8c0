import type { StaleCount, StaleFlags, StaleReason } from '@burgee/protocol/administration/stale-flags'
import type { BulkTags } from '@burgee/protocol/event'
import { ACTIVATE } from './flags.ts'
import { call, path, queryOf } from './http.ts'

/** What archiving flags would mean. */
export interface ArchiveCheck {
  readonly parentsWithChildFeatures: readonly string[]
  readonly hasDeletedDependencies: boolean
}

const projectPath = (project: string) => path('api', 'admin', 'projects', project)

/** Turns flags on or off in one environment, all or none; `activate` enables their disabled strategies. */
export function setAllEnabled(
  { project, environment }: { readonly project: string; readonly environment: string },
  features: readonly string[],
  on: boolean,
  activate = false,
): Promise<void> {
  const place = `${projectPath(project)}/bulk_features${path('environments', environment, on ? 'on' : 'off')}`
  return call<void>('POST', `${place}${activate ? ACTIVATE : ''}`, { features })
}

/** Marks flags stale, or not, all or none. */
export const setAllStale = (project: string, features: readonly string[], stale: boolean) =>
  call<void>('POST', `${projectPath(project)}/stale`, { features, stale })

/** Adds and removes tags of flags, all or none. */
export const changeAllTags = (project: string, features: readonly string[], tags: BulkTags['tags']) =>
  call<void>('PUT', `${projectPath(project)}/tags`, { features, tags })

/** Which of the flags are parents of others, and whether dependencies would go. */
export const checkArchive = (project: string, features: readonly string[]) =>
  call<ArchiveCheck>('POST', `${projectPath(project)}/archive/validate`, { features })

/** Archives flags, all or none. */
export const archiveAll = (project: string, features: readonly string[]) =>
  call<void>('POST', `${projectPath(project)}/archive`, { features })

/** Brings archived flags back, all or none. */
export const reviveAll = (project: string, features: readonly string[]) =>
  call<void>('POST', `${projectPath(project)}/revive`, { features })

const STALE = '/api/admin/stale-flags'

/** Which flags that may go are asked for. */
export interface StaleQuery {
  /** All projects if undefined. */
  readonly project: string | undefined
  readonly reason: StaleReason['kind'] | undefined
  readonly snoozed: boolean
  readonly limit: number
}

/** Flags that may go, and how many there are. */
export const staleFlags = ({ snoozed, ...query }: StaleQuery) =>
  call<StaleFlags>('GET', `${STALE}${queryOf({ ...query, snoozed: snoozed ? 'true' : undefined })}`)

/** How many flags of a project may go. */
export const staleCount = (project: string) => call<StaleCount>('GET', `${STALE}/count${queryOf({ project })}`)

/** Puts flags off until a time, or takes that back, all or none. */
export const snoozeAll = (project: string, features: readonly string[], until: string | null) =>
  call<void>('POST', `${projectPath(project)}/snooze`, { features, until })
