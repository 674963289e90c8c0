import Type, { type Static } from 'typebox'
import { Tag, TagInput } from './event.ts'

/** Bodies around types of tags, and tags as such. Source: wire protocol */

const Text = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])
const Details = { description: Type.Optional(Text), icon: Type.Optional(Text) }

/** Body of a new type of tag. */
export const CreateTagType = Type.Object({ name: Type.String({ minLength: 2, maxLength: 50 }), ...Details })
export type CreateTagType = Static<typeof CreateTagType>

/** Body that changes a type of tag; what is left out stays. */
export const UpdateTagType = Type.Object(Details)
export type UpdateTagType = Static<typeof UpdateTagType>

/** A type of tag. */
export const TagType = Type.Object({ name: Type.String(), description: Text, icon: Text })
export type TagType = Static<typeof TagType>

/** Reply of all types of tags. */
export const TagTypes = Type.Object({ version: Type.Integer(), tagTypes: Type.Array(TagType) })
/** Reply of one type of tag. */
export const OneTagType = Type.Object({ version: Type.Integer(), tagType: TagType })
/** Reply of a name that could be a type of tag. */
export const ValidTagType = Type.Object({ valid: Type.Boolean(), tagType: CreateTagType })

/** Reply of one tag. */
export const OneTag = Type.Object({ version: Type.Integer(), tag: Tag })

/** Body of a change of a flag's tags. */
export const ChangeTags = Type.Object({ addedTags: Type.Array(TagInput), removedTags: Type.Array(Tag) })
