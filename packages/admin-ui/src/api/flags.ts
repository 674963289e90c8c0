import type { AdminFeature, CreateFeature, FeatureEnvironment, FeatureListItem } from '@burgee/protocol/admin-feature'
import type { LinkInput } from '@burgee/protocol/administration/feature-link'
import type { CompleteFeature, FeatureStage } from '@burgee/protocol/administration/feature-stage'
import type { CloneFeature } from '@burgee/protocol/batch'
import type { Tag } from '@burgee/protocol/event'
import type { FeatureType } from '@burgee/protocol/feature-type'
import type { Patch } from '@burgee/protocol/json-patch'
import type { FoundFeature } from '@burgee/protocol/search'
import type { FeatureUsage } from '@burgee/protocol/usage'
import { buildFlagSearchPath, type FlagQuery } from './first/flag-search.ts'
import { buildPath, buildQueryString, call } from './http.ts'

/** Flag of a project. */
export interface FlagRef {
  readonly project: string
  readonly feature: string
}

/** Flag of a project, in one environment. */
export interface FlagEnvironment extends FlagRef {
  readonly environment: string
}

/** Flag in a list, with the names of all segments that its strategies use. */
export type ListedFlag = FeatureListItem & Pick<FoundFeature, 'usedSegments'>

/** Page of a flag list, with the total number of rows. */
export interface FlagListPage {
  readonly features: readonly ListedFlag[]
  readonly total: number
}

/** Returns the admin API path of a flag. */
export const getFlagPath = ({ project, feature }: FlagRef) =>
  buildPath('api', 'admin', 'projects', project, 'features', feature)

/** Fetches the lifecycle stages of a flag, oldest first. */
export const fetchStages = (flag: FlagRef) => call<readonly FeatureStage[]>('GET', `${getFlagPath(flag)}/lifecycle`)

/** Returns the admin API path of a flag in an environment. */
export const getFlagEnvironmentPath = (place: FlagEnvironment) =>
  `${getFlagPath(place)}${buildPath('environments', place.environment)}`

/** Fetches rows `offset` to `offset + limit` of a flag list. The server does the search. */
export const searchFlags = (query: FlagQuery, offset: number, limit: number) =>
  call<FlagListPage>('GET', buildFlagSearchPath(query, offset, limit))

/** Fetches one flag with its environments and strategies. */
export const fetchFlag = (ref: FlagRef) => call<AdminFeature>('GET', `${getFlagPath(ref)}/overview`)

/** Fetches a flag in one environment, with the default strategy that turning the flag on would add. */
export const fetchFlagEnvironment = (place: FlagEnvironment) =>
  call<FeatureEnvironment>('GET', getFlagEnvironmentPath(place))

/** Creates a flag that is off in all environments. */
export const createFlag = (project: string, body: CreateFeature) =>
  call<AdminFeature>('POST', buildPath('api', 'admin', 'projects', project, 'features'), body)

/** Changes the description, type, staleness or impression data of a flag. */
export const patchFlag = (ref: FlagRef, patch: Patch) => call<AdminFeature>('PATCH', getFlagPath(ref), patch)

/** Marks a flag as completed and records which result stays in the code. */
export const completeFlag = (ref: FlagRef, body: CompleteFeature) =>
  call<void>('POST', `${getFlagPath(ref)}/lifecycle/complete`, body)

/** Removes the completed mark of a flag. */
export const uncompleteFlag = (ref: FlagRef) => call<void>('POST', `${getFlagPath(ref)}/lifecycle/uncomplete`)

/** Adds a flag to the user's favorites, or removes the flag from the favorites. */
export const setFavorite = (ref: FlagRef, isOne: boolean) =>
  call<void>(isOne ? 'POST' : 'DELETE', `${getFlagPath(ref)}/favorites`)

/** Archives a flag and preserves its history. */
export const archiveFlag = (ref: FlagRef) => call<void>('DELETE', getFlagPath(ref))

/** Copies a flag with its strategies. The copy is off in all environments. */
export const cloneFlag = (ref: FlagRef, body: CloneFeature) =>
  call<AdminFeature>('POST', `${getFlagPath(ref)}/clone`, body)

/** Moves a flag with all its data to another project, atomically. */
export const moveFlag = (ref: FlagRef, newProjectId: string) =>
  call<void>('POST', `${getFlagPath(ref)}/changeProject`, { newProjectId })

/** Query string for turning on a flag: enables its disabled strategies instead of adding a default strategy. */
export const ACTIVATE = buildQueryString({ shouldActivateDisabledStrategies: 'true' })

/** Turns a flag on or off in one environment. With `activate`, also enables the disabled strategies of the flag. */
export const setEnabled = (place: FlagEnvironment, on: boolean, activate = false) =>
  call<void>('POST', `${getFlagEnvironmentPath(place)}${buildPath(on ? 'on' : 'off')}${activate ? ACTIVATE : ''}`)

/** Appends a link to a flag. */
export const addLink = (ref: FlagRef, body: LinkInput) => call<void>('POST', `${getFlagPath(ref)}/link`, body)

/** Removes a link from a flag. */
export const removeLink = (ref: FlagRef, id: string) =>
  call<void>('DELETE', `${getFlagPath(ref)}${buildPath('link', id)}`)

const getTagsPath = (feature: string) => buildPath('api', 'admin', 'features', feature, 'tags')

/** Adds a tag to a flag. */
export const addTag = (feature: string, tag: Tag) => call<Tag>('POST', getTagsPath(feature), tag)

/** Removes a tag from a flag. */
export const removeTag = (feature: string, tag: Tag) =>
  call<void>('DELETE', `${getTagsPath(feature)}${buildPath(tag.type, tag.value)}`)

/** Fetches the usage of a flag as reported by SDKs. */
export const fetchUsage = (feature: string, hoursBack: number) =>
  call<FeatureUsage>(
    'GET',
    `${buildPath('api', 'admin', 'client-metrics', 'features', feature, 'raw')}?hoursBack=${hoursBack}`,
  )

/** Fetches flag types with their expected lifetimes. */
export const fetchFeatureTypes = async () =>
  (await call<{ types: FeatureType[] }>('GET', '/api/admin/feature-types')).types

/** Fetches the users who created flags in a project. */
export const fetchFlagCreators = (project: string) =>
  call<{ readonly id: number; readonly name: string }[]>(
    'GET',
    buildPath('api', 'admin', 'projects', project, 'flag-creators'),
  )

/**
 * Finds flags in all projects whose name or description contains all words of a search text, sorted by name. If no flag
 * matches, the search tolerates one typing error per word of a name.
 */
export async function findFlags(text: string, limit: number): Promise<readonly ListedFlag[]> {
  const find = async (similar: boolean) => {
    const query = { query: text, sortBy: 'name', sortOrder: 'asc', limit, ...(similar ? { similar: 'true' } : {}) }
    return (await call<FlagListPage>('GET', `/api/admin/search/features${buildQueryString(query)}`)).features
  }
  const found = await find(false)
  return found.length > 0 ? found : find(true)
}
