import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { BulkTags, Tag } from '@burgee/protocol/event'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { listFeaturesByName } from '@burgee/storage/queries/flags/features'
import {
  addFeatureTags,
  addTags,
  listExistingTags,
  listUnknownTagTypes,
  readTagsOfFeatures,
  removeFeatureTags,
} from '@burgee/storage/queries/flags/tags'
import type { Change } from '../../core/execute.ts'

/**
 * Adds and removes tags of several flags of a project, atomically (all flags or none). A tag in both lists is removed.
 * Creates missing tags. If a tag is added or removed without effect on a flag, no event is created for that flag.
 * Throws NotFoundError for a flag that is not in the project, and ValidationError for an unknown tag type. Source: spec
 * "Bulk tag request".
 */
export const changeTags: Change<{ project: string; body: BulkTags }, void> = async (tx, { project, body }) => {
  const names = [...new Set(body.features)]
  await requireAll(tx, project, names)
  const added = dedupeTags(body.tags.addedTags)
  const removed = dedupeTags(body.tags.removedTags)
  const events: NewEvent[] = await createTags(tx, added, project)
  const before = await readTagsOfFeatures(tx, names)
  const has = (feature: string, tag: Tag) => (before.get(feature) ?? []).some((own) => getKey(own) === getKey(tag))
  const links = (tags: readonly Tag[]) => names.flatMap((feature) => tags.map((tag) => ({ feature, tag })))
  const adding = links(added).filter(({ feature, tag }) => !has(feature, tag))
  const isAdded = new Set(adding.map(({ feature, tag }) => `${feature} ${getKey(tag)}`))
  const removing = links(removed).filter(
    ({ feature, tag }) => has(feature, tag) || isAdded.has(`${feature} ${getKey(tag)}`),
  )
  await addFeatureTags(tx, adding)
  await removeFeatureTags(tx, removing)
  for (const { feature, tag } of adding) {
    events.push({ type: 'feature-tagged', featureName: feature, project, data: tag })
  }
  for (const { feature, tag } of removing) {
    events.push({ type: 'feature-untagged', featureName: feature, project, preData: tag })
  }
  return { result: undefined, events }
}

async function requireAll(tx: Tx, project: string, names: readonly string[]): Promise<void> {
  const rows = await listFeaturesByName(tx, names)
  const live = new Set(rows.filter((row) => row.project === project && row.archived_at === null).map((row) => row.name))
  const missing = names.find((name) => !live.has(name))
  if (missing !== undefined) throw notFound(`There is no flag "${missing}" in project "${project}".`)
}

async function createTags(tx: Tx, tags: readonly Tag[], project: string): Promise<NewEvent[]> {
  const [unknown] = await listUnknownTagTypes(tx, tags)
  if (unknown !== undefined) throw invalid(`There is no tag type "${unknown}".`, 'body/tags/addedTags')
  const known = new Set((await listExistingTags(tx, tags)).map(getKey))
  const fresh = tags.filter((tag) => !known.has(getKey(tag)))
  await addTags(tx, fresh)
  return fresh.map((tag) => ({ type: 'tag-created', project, data: tag }))
}

function dedupeTags(tags: readonly Tag[]): Tag[] {
  return [...new Map(tags.map(({ type, value }) => [getKey({ type, value }), { type, value }])).values()]
}

function getKey({ type, value }: Tag): string {
  return JSON.stringify([type, value])
}
