import { invalid } from '@burgee/kit/input/refusals'
import type { Tag } from '@burgee/protocol/event'
import type { Tx } from '@burgee/storage/database'
import { listTags, type NewEvent } from '@burgee/storage/queries/events/events'
import type { FeatureRow } from '@burgee/storage/queries/flags/features'
import type { Change } from '../../core/execute.ts'
import { requireFeatureNamed } from './feature-ref.ts'

/**
 * Adds a tag to a flag, creating the tag if necessary, and returns the events; returns no events if the flag already
 * has the tag.
 */
export async function tagFeature(tx: Tx, feature: FeatureRow, { type, value }: Tag): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  const known = await tx.selectFrom('tag_types').select('name').where('name', '=', type).executeTakeFirst()
  if (known === undefined) throw invalid(`There is no tag type "${type}".`, 'body/type')
  const existing = await tx
    .selectFrom('tags')
    .select('value')
    .where('type', '=', type)
    .where('value', '=', value)
    .executeTakeFirst()
  if (existing === undefined) {
    await tx.insertInto('tags').values({ type, value }).execute()
    events.push({ type: 'tag-created', project: feature.project, data: { type, value } })
  }
  const had = await listTags(tx, feature.name)
  if (had.some((tag) => tag.type === type && tag.value === value)) return events
  await tx.insertInto('feature_tags').values({ feature_name: feature.name, type, value }).execute()
  events.push({
    type: 'feature-tagged',
    featureName: feature.name,
    project: feature.project,
    data: { type, value },
  })
  return events
}

/** Adds a tag to a flag. Throws NotFoundError for an unknown flag, ValidationError for an unknown tag type. */
export const addTag: Change<{ feature: string; tag: Tag }, Tag> = async (tx, { feature, tag }) => {
  const row = await requireFeatureNamed(tx, feature)
  return { result: tag, events: await tagFeature(tx, row, tag) }
}

/**
 * Removes a tag from a flag. Does nothing if the flag does not have the tag. Throws NotFoundError for an unknown flag.
 */
export const removeTag: Change<{ feature: string; tag: Tag }, void> = async (tx, { feature, tag }) => {
  const row = await requireFeatureNamed(tx, feature)
  const removed = await tx
    .deleteFrom('feature_tags')
    .where('feature_name', '=', feature)
    .where('type', '=', tag.type)
    .where('value', '=', tag.value)
    .returning('value')
    .execute()
  if (removed.length === 0) return { result: undefined, events: [] }
  const { type, value } = tag
  const event: NewEvent = {
    type: 'feature-untagged',
    featureName: feature,
    project: row.project,
    preData: { type, value },
  }
  return { result: undefined, events: [event] }
}
