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

/** Some rows of a list, and how many rows it has altogether. */
export interface FlagPage {
  readonly features: readonly FeatureListItem[]
  readonly total: number
}

/** Path of a flag in the admin API. */
export const flagPath = ({ project, feature }: FlagRef) =>
  path('api', 'admin', 'projects', project, 'features', feature)

/** Path of a flag in an environment. */
export const placePath = (place: FlagPlace) => `${flagPath(place)}${path('environments', place.environment)}`

/** Rows `offset` to `offset + limit` of a list that the server searches. */
export const searchFlags = (query: FlagQuery, offset: number, limit: number) =>
  call<FlagPage>('GET', flagSearchPath(query, offset, limit))

/** One flag with its environments and strategies. */
export const flag = (ref: FlagRef) => call<AdminFeature>('GET', `${flagPath(ref)}/overview`)

/** Creates a flag, off everywhere. */
export const createFlag = (project: string, body: CreateFeature) =>
  call<AdminFeature>('POST', path('api', 'admin', 'projects', project, 'features'), body)

/** Changes description, type, staleness or impression data. */
export const patchFlag = (ref: FlagRef, patch: Patch) => call<AdminFeature>('PATCH', flagPath(ref), patch)

/** Says that a flag has done its work, and what of it stays in the code. */
export const completeFlag = (ref: FlagRef, body: CompleteFeature) =>
  call<void>('POST', `${flagPath(ref)}/lifecycle/complete`, body)

/** Takes that back. */
export const uncompleteFlag = (ref: FlagRef) => call<void>('POST', `${flagPath(ref)}/lifecycle/uncomplete`)

/** Notes whether the person likes a flag. */
export const setFavorite = (ref: FlagRef, isOne: boolean) =>
  call<void>(isOne ? 'POST' : 'DELETE', `${flagPath(ref)}/favorites`)

/** Takes a flag out of use; its history stays. */
export const archiveFlag = (ref: FlagRef) => call<void>('DELETE', flagPath(ref))

/** Copies a flag with its strategies, off everywhere. */
export const cloneFlag = (ref: FlagRef, body: CloneFeature) =>
  call<AdminFeature>('POST', `${flagPath(ref)}/clone`, body)

/** Moves a flag with all it has to another project, or not at all. */
export const moveFlag = (ref: FlagRef, newProjectId: string) =>
  call<void>('POST', `${flagPath(ref)}/changeProject`, { newProjectId })

/** Enables the disabled strategies of what is turned on, in place of adding one for everybody. */
export const ACTIVATE = queryOf({ shouldActivateDisabledStrategies: 'true' })

/** Turns a flag on or off in one environment; `activate` enables its disabled strategies. */
export const setEnabled = (place: FlagPlace, on: boolean, activate = false) =>
  call<void>('POST', `${placePath(place)}${path(on ? 'on' : 'off')}${activate ? ACTIVATE : ''}`)

/** Gives a flag a link, behind those that it has. */
export const addLink = (ref: FlagRef, body: LinkInput) => call<void>('POST', `${flagPath(ref)}/link`, body)

/** Takes a link from a flag. */
export const removeLink = (ref: FlagRef, id: string) => call<void>('DELETE', `${flagPath(ref)}${path('link', id)}`)

const tagsPath = (feature: string) => path('api', 'admin', 'features', feature, 'tags')

/** Gives a flag a tag. */
export const addTag = (feature: string, tag: Tag) => call<Tag>('POST', tagsPath(feature), tag)

/** Takes a tag from a flag. */
export const removeTag = (feature: string, tag: Tag) =>
  call<void>('DELETE', `${tagsPath(feature)}${path(tag.type, tag.value)}`)

/** What SDKs reported about a flag. */
export const usage = (feature: string, hoursBack: number) =>
  call<FeatureUsage>(
    'GET',
    `${path('api', 'admin', 'client-metrics', 'features', feature, 'raw')}?hoursBack=${hoursBack}`,
  )

/** Types of flags, with how long flags of each are meant to live. */
export const featureTypes = async () => (await call<{ types: FeatureType[] }>('GET', '/api/admin/feature-types')).types

/** Flags of all projects whose name or description has a text, by name. */
export const findFlags = async (text: string, limit: number) =>
  (
    await call<FlagPage>(
      'GET',
      `/api/admin/search/features${queryOf({ query: text, sortBy: 'name', sortOrder: 'asc', limit })}`,
    )
  ).features
