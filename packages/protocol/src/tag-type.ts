import Type, { type Static } from 'typebox'
import { Tag, TagInput } from './event.ts'

/** Schemas for tag types and for tags. Source: wire protocol */

const Text = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])
const Details = { description: Type.Optional(Text), icon: Type.Optional(Text) }

/** Request body for a new tag type. */
export const CreateTagType = Type.Object({ name: Type.String({ minLength: 2, maxLength: 50 }), ...Details })
export type CreateTagType = Static<typeof CreateTagType>

/** Request body that changes a tag type; omitted properties keep their stored values. */
export const UpdateTagType = Type.Object(Details)
export type UpdateTagType = Static<typeof UpdateTagType>

/** Tag type. */
export const TagType = Type.Object({ name: Type.String(), description: Text, icon: Text })
export type TagType = Static<typeof TagType>

/** Response with all tag types. */
export const TagTypes = Type.Object({ version: Type.Integer(), tagTypes: Type.Array(TagType) })
/** Response with one tag type. */
export const OneTagType = Type.Object({ version: Type.Integer(), tagType: TagType })
/** Response if the name of a tag type is available. */
export const ValidTagType = Type.Object({ valid: Type.Boolean(), tagType: CreateTagType })

/** Response with one tag. */
export const OneTag = Type.Object({ version: Type.Integer(), tag: Tag })

/** Request body that adds tags to a flag and removes tags from it. */
export const ChangeTags = Type.Object({ addedTags: Type.Array(TagInput), removedTags: Type.Array(Tag) })
