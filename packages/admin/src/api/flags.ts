import type { AdminFeature, CreateFeature, FeatureListItem } from '@burgee/protocol/admin-feature'
import type { LinkInput } from '@burgee/protocol/administration/feature-link'
import type { CompleteFeature } from '@burgee/protocol/administration/feature-stage'
import type { CloneFeature } from '@burgee/protocol/batch'
import type { Tag } from '@burgee/protocol/event'
import type { FeatureType } from '@burgee/protocol/feature-type'
import type { Patch } from '@burgee/protocol/json-patch'
import type { FeatureUsage } from '@burgee/protocol/usage'
import { type FlagQuery, flagSearchPath } from './first/flag-search.ts'
import { call, path, queryOf } from './http.ts'

/** A flag of a project. */
export interface FlagRef {
  readonly project: string
  readonly feature: string
}

/** A flag of a project in an environment. */
export interface FlagPlace extends FlagRef {
  readonly environment: string
}

/** One page of a flag list with the total number of rows. */
export interface FlagPage {
  readonly features: readonly FeatureListItem[]
  readonly total: number
}

/** Returns the admin API path of a flag. */
export const flagPath = ({ project, feature }: FlagRef) =>
  path('api', 'admin', 'projects', project, 'features', feature)

/** Returns the admin API path of a flag in an environment. */
export const placePath = (place: FlagPlace) => `${flagPath(place)}${path('environments', place.environment)}`

/** Fetches rows `offset` to `offset + limit` of a flag list. The server does the search. */
export const searchFlags = (query: FlagQuery, offset: number, limit: number) =>
  call<FlagPage>('GET', flagSearchPath(query, offset, limit))

/** Fetches one flag with its environments and strategies. */
export const flag = (ref: FlagRef) => call<AdminFeature>('GET', `${flagPath(ref)}/overview`)

/** Creates a flag that is off in all environments. */
export const createFlag = (project: string, body: CreateFeature) =>
  call<AdminFeature>('POST', path('api', 'admin', 'projects', project, 'features'), body)

/** Changes the description, type, staleness or impression data of a flag. */
export const patchFlag = (ref: FlagRef, patch: Patch) => call<AdminFeature>('PATCH', flagPath(ref), patch)

/** Completes a flag and records which result stays in the code. */
export const completeFlag = (ref: FlagRef, body: CompleteFeature) =>
  call<void>('POST', `${flagPath(ref)}/lifecycle/complete`, body)

/** Reverts the completion of a flag. */
export const uncompleteFlag = (ref: FlagRef) => call<void>('POST', `${flagPath(ref)}/lifecycle/uncomplete`)

/** Adds a flag to the user's favorites or removes it. */
export const setFavorite = (ref: FlagRef, isOne: boolean) =>
  call<void>(isOne ? 'POST' : 'DELETE', `${flagPath(ref)}/favorites`)

/** Archives a flag. Its history is kept. */
export const archiveFlag = (ref: FlagRef) => call<void>('DELETE', flagPath(ref))

/** Copies a flag with its strategies. The copy is off in all environments. */
export const cloneFlag = (ref: FlagRef, body: CloneFeature) =>
  call<AdminFeature>('POST', `${flagPath(ref)}/clone`, body)

/** Moves a flag with all its data to another project, atomically. */
export const moveFlag = (ref: FlagRef, newProjectId: string) =>
  call<void>('POST', `${flagPath(ref)}/changeProject`, { newProjectId })

/** Query string that enables disabled strategies when a flag is turned on, instead of adding a default strategy. */
export const ACTIVATE = queryOf({ shouldActivateDisabledStrategies: 'true' })

/** Turns a flag on or off in one environment. `activate` enables its disabled strategies. */
export const setEnabled = (place: FlagPlace, on: boolean, activate = false) =>
  call<void>('POST', `${placePath(place)}${path(on ? 'on' : 'off')}${activate ? ACTIVATE : ''}`)

/** Appends a link to a flag. */
export const addLink = (ref: FlagRef, body: LinkInput) => call<void>('POST', `${flagPath(ref)}/link`, body)

/** Removes a link from a flag. */
export const removeLink = (ref: FlagRef, id: string) => call<void>('DELETE', `${flagPath(ref)}${path('link', id)}`)

const tagsPath = (feature: string) => path('api', 'admin', 'features', feature, 'tags')

/** Adds a tag to a flag. */
export const addTag = (feature: string, tag: Tag) => call<Tag>('POST', tagsPath(feature), tag)

/** Removes a tag from a flag. */
export const removeTag = (feature: string, tag: Tag) =>
  call<void>('DELETE', `${tagsPath(feature)}${path(tag.type, tag.value)}`)

/** Fetches the usage of a flag as reported by SDKs. */
export const usage = (feature: string, hoursBack: number) =>
  call<FeatureUsage>(
    'GET',
    `${path('api', 'admin', 'client-metrics', 'features', feature, 'raw')}?hoursBack=${hoursBack}`,
  )

/** Fetches flag types with their expected lifetimes. */
export const featureTypes = async () => (await call<{ types: FeatureType[] }>('GET', '/api/admin/feature-types')).types

/** Finds flags of all projects whose name or description contains a text, sorted by name. */
export const findFlags = async (text: string, limit: number) =>
  (
    await call<FlagPage>(
      'GET',
      `/api/admin/search/features${queryOf({ query: text, sortBy: 'name', sortOrder: 'asc', limit })}`,
    )
  ).features
