import type { Tag } from '@burgee/protocol/event'
import type { CreateTagType, TagType, UpdateTagType } from '@burgee/protocol/tag-type'
import { buildPath, call } from './http.ts'

const TYPES = '/api/admin/tag-types'

/** Fetches all tag types, sorted by name. */
export const fetchTagTypes = async () => (await call<{ tagTypes: TagType[] }>('GET', TYPES)).tagTypes

/** Creates a tag type. */
export const createTagType = (body: CreateTagType) => call<TagType>('POST', TYPES, body)

/** Changes a tag type. */
export const updateTagType = (name: string, body: UpdateTagType) =>
  call<void>('PUT', `${TYPES}${buildPath(name)}`, body)

/** Removes a tag type with all its tags. */
export const removeTagType = (name: string) => call<void>('DELETE', `${TYPES}${buildPath(name)}`)

/** Fetches all existing tags. */
export const fetchAllTags = async () => (await call<{ tags: Tag[] }>('GET', '/api/admin/tags')).tags
