import { invalid, notFound, requireUrlFriendly } from '@burgee/kit/input/refusals'
import type { Tag } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { CreateTagType, TagType, UpdateTagType } from '@burgee/protocol/tag-type'
import type { Reader } from '../../store/database.ts'
import type { Change } from '../execute.ts'

/** A type of tag by name. Throws NotFoundError. */
export async function requireTagType(reader: Reader, name: string): Promise<TagType> {
  const row = await reader.selectFrom('tag_types').selectAll().where('name', '=', name).executeTakeFirst()
  if (row !== undefined) return row
  throw notFound(`There is no tag type "${name}".`)
}

/** Refuses names that cannot be used or are taken. Throws ValidationError, NameExistsError. */
export async function requireFreeTagType(reader: Reader, name: string): Promise<void> {
  requireUrlFriendly(name, 'body/name')
  const taken = await reader.selectFrom('tag_types').select('name').where('name', '=', name).executeTakeFirst()
  if (taken !== undefined) throw new Problem('NameExistsError', `There is already a tag type "${name}".`)
}

/** Adds a type of tag. Throws ValidationError, NameExistsError. */
export const createTagType: Change<CreateTagType, TagType> = async (tx, body) => {
  await requireFreeTagType(tx, body.name)
  const row = { name: body.name, description: body.description ?? null, icon: body.icon ?? null }
  await tx.insertInto('tag_types').values(row).execute()
  return { result: row, events: [{ type: 'tag-type-created', data: row }] }
}

/** Changes a type of tag; the same again is no event. Throws NotFoundError. */
export const updateTagType: Change<{ name: string; body: UpdateTagType }, void> = async (tx, { name, body }) => {
  const before = await requireTagType(tx, name)
  const { description = before.description, icon = before.icon } = body
  if (description === before.description && icon === before.icon) return { result: undefined, events: [] }
  await tx.updateTable('tag_types').set({ description, icon }).where('name', '=', name).execute()
  const data = { name, description, icon }
  return { result: undefined, events: [{ type: 'tag-type-updated', data, preData: before }] }
}

/** Removes a type of tag with all its tags. Throws NotFoundError. */
export const removeTagType: Change<{ name: string }, void> = async (tx, { name }) => {
  const preData = await requireTagType(tx, name)
  await tx.deleteFrom('tag_types').where('name', '=', name).execute()
  return { result: undefined, events: [{ type: 'tag-type-deleted', preData }] }
}

/** All tags, or those of a type, in their order. */
export function listTags(reader: Reader, type?: string): Promise<Tag[]> {
  let query = reader.selectFrom('tags').select(['value', 'type'])
  if (type !== undefined) query = query.where('type', '=', type)
  return query.orderBy('type').orderBy('value').execute()
}

/** A tag. Throws NotFoundError. */
export async function requireTag(reader: Reader, { type, value }: Tag): Promise<Tag> {
  const found = (await listTags(reader, type)).find((tag) => tag.value === value)
  if (found === undefined) throw notFound(`There is no tag "${value}" of the type "${type}".`)
  return found
}

/** Makes a tag. Throws ValidationError for an unknown type, NameExistsError. */
export const createTag: Change<Tag, Tag> = async (tx, { type, value }) => {
  const known = await tx.selectFrom('tag_types').select('name').where('name', '=', type).executeTakeFirst()
  if (known === undefined) throw invalid(`There is no tag type "${type}".`, 'body/type')
  const tag = { value, type }
  if ((await listTags(tx, type)).some((one) => one.value === value)) {
    throw new Problem('NameExistsError', `There is already a tag "${value}" of the type "${type}".`)
  }
  await tx.insertInto('tags').values(tag).execute()
  return { result: tag, events: [{ type: 'tag-created', data: tag }] }
}

/** Removes a tag, also from all flags. Throws NotFoundError. */
export const deleteTag: Change<Tag, void> = async (tx, tag) => {
  const preData = await requireTag(tx, tag)
  await tx.deleteFrom('tags').where('type', '=', tag.type).where('value', '=', tag.value).execute()
  return { result: undefined, events: [{ type: 'tag-deleted', preData }] }
}
