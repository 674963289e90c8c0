import type { Tag } from '@burgee/protocol/event'
import type { CreateTagType, TagType, UpdateTagType } from '@burgee/protocol/tag-type'
import { call, path } from './http.ts'

const TYPES = '/api/admin/tag-types'

/** All types of tags, by name. */
export const tagTypes = async () => (await call<{ tagTypes: TagType[] }>('GET', TYPES)).tagTypes

/** Adds a type of tag. */
export const createTagType = (body: CreateTagType) => call<TagType>('POST', TYPES, body)

/** Changes a type of tag. */
export const updateTagType = (name: string, body: UpdateTagType) => call<void>('PUT', `${TYPES}${path(name)}`, body)

/** Removes a type of tag with all its tags. */
export const removeTagType = (name: string) => call<void>('DELETE', `${TYPES}${path(name)}`)

/** All tags that there are. */
export const allTags = async () => (await call<{ tags: Tag[] }>('GET', '/api/admin/tags')).tags
