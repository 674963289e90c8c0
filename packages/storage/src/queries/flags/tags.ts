import type { Tag } from '@burgee/protocol/event'
import { chunks } from '../../chunks.ts'
import type { Reader, Tx } from '../../database.ts'

/** Flag name and one of the flag's tags. */
export interface TagLink {
  readonly feature: string
  readonly tag: Tag
}

/** Returns the types of the given tags that do not exist as tag types. */
export async function listUnknownTagTypes(reader: Reader, tags: readonly Tag[]): Promise<string[]> {
  const types = [...new Set(tags.map((tag) => tag.type))]
  if (types.length === 0) return []
  const rows = await reader.selectFrom('tag_types').select('name').where('name', 'in', types).execute()
  const known = new Set(rows.map((row) => row.name))
  return types.filter((type) => !known.has(type))
}

/** Returns the names of all tag types. */
export async function listTagTypeNames(reader: Reader): Promise<string[]> {
  return (await reader.selectFrom('tag_types').select('name').execute()).map(({ name }) => name)
}

/** Returns the existing tags that have the same types as the given tags. */
export async function listExistingTags(reader: Reader, tags: readonly Tag[]): Promise<Tag[]> {
  if (tags.length === 0) return []
  const types = [...new Set(tags.map((tag) => tag.type))]
  return reader.selectFrom('tags').select(['type', 'value']).where('type', 'in', types).execute()
}

/** Inserts tags. */
export async function addTags(tx: Tx, tags: readonly Tag[]): Promise<void> {
  for (const part of chunks(tags))
    await tx
      .insertInto('tags')
      .values(part.map(({ type, value }) => ({ type, value })))
      .execute()
}

/** Returns the tags of flags, by flag name. */
export async function readTagsOfFeatures(reader: Reader, names: readonly string[]): Promise<Map<string, Tag[]>> {
  const found = new Map<string, Tag[]>()
  for (const part of chunks(names)) {
    const rows = await reader.selectFrom('feature_tags').selectAll().where('feature_name', 'in', part).execute()
    for (const { feature_name, type, value } of rows) {
      found.set(feature_name, [...(found.get(feature_name) ?? []), { type, value }])
    }
  }
  return found
}

/** Adds tags to flags. Skips tags that a flag already has. */
export async function addFeatureTags(tx: Tx, links: readonly TagLink[]): Promise<void> {
  for (const part of chunks(links)) {
    const rows = part.map(({ feature, tag }) => ({ feature_name: feature, type: tag.type, value: tag.value }))
    await tx.insertInto('feature_tags').values(rows).execute()
  }
}

/** Removes tags from flags. */
export async function removeFeatureTags(tx: Tx, links: readonly TagLink[]): Promise<void> {
  for (const { feature, tag } of links) {
    await tx
      .deleteFrom('feature_tags')
      .where('feature_name', '=', feature)
      .where('type', '=', tag.type)
      .where('value', '=', tag.value)
      .execute()
  }
}
