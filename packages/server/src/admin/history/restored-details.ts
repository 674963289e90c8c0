import type { FlagDifference, FlagSnapshot } from '@burgee/protocol/administration/flag-history'
import { RESTORED_DETAILS, type RestoredDetail } from '@burgee/protocol/administration/flag-restoration'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Change, ChangeContext } from '../../core/execute.ts'
import type { FeatureRef } from '../flags/feature-ref.ts'
import { updateFeature } from '../flags/features.ts'
import { addTag, removeTag } from '../flags/tags.ts'
import { addLink, removeLink, updateLink } from '../projects/feature-links.ts'
import { isSame } from './flag-snapshot.ts'

/** Returns the details in which the current flag differs from its past state, ignoring the order of tags and links. */
export function compareDetails(
  now: FlagSnapshot,
  then: FlagSnapshot,
  details: readonly RestoredDetail[] = RESTORED_DETAILS,
): FlagDifference[] {
  const requested = RESTORED_DETAILS.filter((part) => details.includes(part))
  return requested
    .filter((part) => !isSame(toComparable(now, part), toComparable(then, part)))
    .map((part) => ({ part, before: now[part], after: then[part] }))
}

function toComparable(flag: FlagSnapshot, part: RestoredDetail): unknown {
  if (part === 'tags') return flag.tags.map(({ type, value }) => JSON.stringify([type, value])).toSorted()
  if (part === 'links') return flag.links.map(linkText).toSorted()
  return flag[part]
}

const linkText = ({ url, title }: FlagSnapshot['links'][number]) => JSON.stringify([url, title])

/** Flag, its past state, and the details in which they differ. */
interface DetailsRestoration {
  readonly ref: FeatureRef
  readonly was: FlagSnapshot
  readonly differences: readonly FlagDifference[]
}

/**
 * Restores the details of a flag and returns the events. Throws NotFoundError, ValidationError for a removed tag type.
 */
export async function restoreDetails(tx: Tx, order: DetailsRestoration, context: ChangeContext): Promise<NewEvent[]> {
  const { ref, was, differences } = order
  const before = new Map(differences.map((one) => [one.part, one.before]))
  const body = {
    ...(before.has('description') && { description: was.description }),
    ...(before.has('type') && { type: was.type }),
    ...(before.has('impressionData') && { impressionData: was.impressionData }),
  }
  const events: NewEvent[] = []
  const change = async <I>(carryOut: Change<I, unknown>, input: I) => {
    events.push(...(await carryOut(tx, input, context)).events)
  }
  if (Object.keys(body).length > 0) await change(updateFeature, { ...ref, body })
  const tags = (before.get('tags') ?? was.tags) as FlagSnapshot['tags']
  const without = (all: FlagSnapshot['tags'], others: FlagSnapshot['tags']) =>
    all.filter((tag) => !others.some((one) => isSame(one, tag)))
  for (const tag of without(tags, was.tags)) await change(removeTag, { feature: ref.feature, tag })
  for (const tag of without(was.tags, tags)) await change(addTag, { feature: ref.feature, tag })
  if (before.has('links')) {
    const { gone, other, added } = pairLinks(before.get('links') as FlagSnapshot['links'], was.links)
    for (const { id } of gone) await change(removeLink, { ...ref, id })
    for (const { id, url, title } of other) await change(updateLink, { ...ref, id, body: { url, title } })
    for (const { url, title } of added) await change(addLink, { ...ref, body: { url, title } })
  }
  return events
}

/** Pairs current links with past links, first by content, so that a link with a new id is recognized. */
function pairLinks(now: FlagSnapshot['links'], then: FlagSnapshot['links']) {
  const rest = [...now]
  const missing = then.filter((link) => {
    const at = rest.findIndex((one) => linkText(one) === linkText(link))
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  const has = (links: FlagSnapshot['links'], { id }: { id: string }) => links.some((one) => one.id === id)
  return {
    gone: rest.filter((one) => !has(missing, one)),
    other: missing.filter((one) => has(rest, one)),
    added: missing.filter((one) => !has(rest, one)),
  }
}
