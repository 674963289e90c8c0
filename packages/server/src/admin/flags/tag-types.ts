import { invalid, notFound, requireUrlFriendly } from '@burgee/kit/input/refusals'
import type { Tag } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { CreateTagType, TagType, UpdateTagType } from '@burgee/protocol/tag-type'
import type { Reader } from '@burgee/storage/database'
import type { Change } from '../../core/execute.ts'

/** Returns a tag type by name. Throws NotFoundError. */
export async function requireTagType(reader: Reader, name: string): Promise<TagType> {
  const row = await reader.selectFrom('tag_types').selectAll().where('name', '=', name).executeTakeFirst()
  if (row !== undefined) return row
  throw notFound(`There is no tag type "${name}".`)
}

/** Rejects names that are invalid or taken. Throws ValidationError, NameExistsError. */
export async function requireFreeTagType(reader: Reader, name: string): Promise<void> {
  requireUrlFriendly(name, 'body/name')
  const taken = await reader.selectFrom('tag_types').select('name').where('name', '=', name).executeTakeFirst()
  if (taken !== undefined) throw new Problem('NameExistsError', `There is already a tag type "${name}".`)
}

/** Creates a tag type. Throws ValidationError, NameExistsError. */
export const createTagType: Change<CreateTagType, TagType> = async (tx, body) => {
  await requireFreeTagType(tx, body.name)
  const row = { name: body.name, description: body.description ?? null, icon: body.icon ?? null }
  await tx.insertInto('tag_types').values(row).execute()
  return { result: row, events: [{ type: 'tag-type-created', data: row }] }
}

/** Updates a tag type. An unchanged tag type creates no event. Throws NotFoundError. */
export const updateTagType: Change<{ name: string; body: UpdateTagType }, void> = async (tx, { name, body }) => {
  const before = await requireTagType(tx, name)
  const { description = before.description, icon = before.icon } = body
  if (description === before.description && icon === before.icon) return { result: undefined, events: [] }
  await tx.updateTable('tag_types').set({ description, icon }).where('name', '=', name).execute()
  const data = { name, description, icon }
  return { result: undefined, events: [{ type: 'tag-type-updated', data, preData: before }] }
}

/** Removes a tag type with all its tags. Throws NotFoundError. */
export const removeTagType: Change<{ name: string }, void> = async (tx, { name }) => {
  const preData = await requireTagType(tx, name)
  await tx.deleteFrom('tag_types').where('name', '=', name).execute()
  return { result: undefined, events: [{ type: 'tag-type-deleted', preData }] }
}

/** Tag type whose tags to list, and the projects that are hidden from the caller. */
interface TagQuery {
  readonly type?: string
  readonly hidden?: readonly string[] | undefined
}

/** Returns tags sorted by type and value. If projects are hidden, returns only tags that are used by visible flags. */
export function listTags(reader: Reader, { type, hidden = [] }: TagQuery = {}): Promise<Tag[]> {
  let query = reader.selectFrom('tags').select(['tags.value', 'tags.type'])
  if (type !== undefined) query = query.where('tags.type', '=', type)
  if (hidden.length > 0) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('feature_tags as t')
          .innerJoin('features as f', 'f.name', 't.feature_name')
          .select('t.feature_name')
          .whereRef('t.type', '=', 'tags.type')
          .whereRef('t.value', '=', 'tags.value')
          .where('f.project', 'not in', hidden),
      ),
    )
  }
  return query.orderBy('tags.type').orderBy('tags.value').execute()
}

/** Returns a tag. Throws NotFoundError if the tag does not exist, or if only flags of hidden projects have it. */
export async function requireTag(
  reader: Reader,
  { type, value }: Tag,
  hidden?: readonly string[] | undefined,
): Promise<Tag> {
  const found = (await listTags(reader, { type, hidden })).find((tag) => tag.value === value)
  if (found === undefined) throw notFound(`There is no tag "${value}" of the type "${type}".`)
  return found
}

/** Tag, and the projects that are hidden from the caller. */
interface NewTag {
  readonly tag: Tag
  readonly hidden?: readonly string[] | undefined
}

/**
 * Creates a tag. If only hidden flags have the tag, succeeds without an event, so that the hidden flags are not
 * revealed. Throws ValidationError for an unknown type, NameExistsError.
 */
export const createTag: Change<NewTag, Tag> = async (tx, { tag: { type, value }, hidden }) => {
  const known = await tx.selectFrom('tag_types').select('name').where('name', '=', type).executeTakeFirst()
  if (known === undefined) throw invalid(`There is no tag type "${type}".`, 'body/type')
  const tag = { value, type }
  const isThere = (tags: readonly Tag[]) => tags.some((one) => one.value === value)
  if (isThere(await listTags(tx, { type, hidden }))) {
    throw new Problem('NameExistsError', `There is already a tag "${value}" of the type "${type}".`)
  }
  if (isThere(await listTags(tx, { type }))) return { result: tag, events: [] }
  await tx.insertInto('tags').values(tag).execute()
  return { result: tag, events: [{ type: 'tag-created', data: tag }] }
}

/** Deletes a tag and removes it from all flags. Throws NotFoundError. */
export const deleteTag: Change<NewTag, void> = async (tx, { tag, hidden }) => {
  const preData = await requireTag(tx, tag, hidden)
  const project = await findPrivateOwner(tx, tag)
  await tx.deleteFrom('tags').where('type', '=', tag.type).where('value', '=', tag.value).execute()
  return { result: undefined, events: [{ type: 'tag-deleted', project, preData }] }
}

/**
 * Returns one of the private projects whose flags have the tag. Returns undefined if no flag has the tag, or if a flag
 * in a public project has it.
 */
async function findPrivateOwner(reader: Reader, { type, value }: Tag): Promise<string | undefined> {
  const rows = await reader
    .selectFrom('feature_tags as t')
    .innerJoin('features as f', 'f.name', 't.feature_name')
    .innerJoin('projects as p', 'p.id', 'f.project')
    .select(['p.id', 'p.mode'])
    .distinct()
    .where('t.type', '=', type)
    .where('t.value', '=', value)
    .execute()
  return rows.every(({ mode }) => mode === 'private') ? rows[0]?.id : undefined
}
