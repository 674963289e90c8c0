import { requireUrlFriendly } from '@burgee/kit/input/refusals'
import type { CreateFeature, UpdateFeature } from '@burgee/protocol/admin-feature'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type FeatureRow,
  findFeature,
  insertFeature,
  listProjectEnvironmentNames,
  readVariantsOfFeatures,
} from '@burgee/storage/queries/flags/features'
import type { Change } from '../../core/execute.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import { addProjectLinks } from '../projects/feature-links.ts'
import { buildFeatureEvent, type FeatureChange } from './feature-events.ts'
import { type FeatureRef, requireLive } from './feature-ref.ts'
import { requireFittingName, requireRoom } from './project-flag-rules.ts'
import { tagFeature } from './tags.ts'

/**
 * Creates a flag, off in all environments of its project. Throws ValidationError, NotFoundError, NameExistsError, and
 * InvalidOperationError if the project has reached its limit of flags.
 */
export const createFeature: Change<{ project: string; body: CreateFeature }, FeatureRow> = async (
  tx,
  input,
  context,
) => {
  const { project, body } = input
  const [rules, , environments] = await inOneRoundTrip([
    requireOpenProject(tx, project),
    requireFreeName(tx, body.name),
    listProjectEnvironmentNames(tx, project),
  ])
  requireFittingName(rules, body.name)
  await requireRoom(tx, rules, 1)
  const row: FeatureRow = {
    name: body.name,
    project,
    type: body.type ?? 'release',
    description: body.description ?? null,
    stale: 0,
    impression_data: body.impressionData === true ? 1 : 0,
    created_at: context.now,
    archived_at: null,
    last_seen_at: null,
    potentially_stale: 0,
    created_by: context.author.name,
    created_by_user_id: context.author.userId,
  }
  await insertFeature(tx, row, environments)
  const events: NewEvent[] = [buildFeatureEvent('feature-created', { after: row, variants: [] })]
  events.push(...(await addProjectLinks(tx, rules.link_templates, { project, feature: row.name }, context)))
  for (const tag of body.tags ?? []) events.push(...(await tagFeature(tx, row, tag)))
  return { result: row, events }
}

/** Rejects flag names that are invalid or taken. Throws ValidationError, NameExistsError. */
export async function requireFreeName(reader: Reader, name: string): Promise<void> {
  requireUrlFriendly(name, 'body/name')
  const taken = await findFeature(reader, name)
  if (taken === undefined) return
  const kind = taken.archived_at === null ? 'A flag' : 'An archived flag'
  throw new Problem('NameExistsError', `${kind} with that name already exists`)
}

/**
 * Updates description, type, stale and impressionData. Omitted fields keep their value; an unchanged flag creates no
 * event. Throws NotFoundError, ValidationError if the body contains another name.
 */
export const updateFeature: Change<FeatureRef & { body: UpdateFeature }, FeatureRow> = async (tx, input) => {
  const { body, feature } = input
  const [before, variants] = await inOneRoundTrip([requireLive(tx, input), readVariantsOfFeatures(tx, [feature])])
  if (body.name !== undefined && body.name !== before.name) {
    throw new Problem('ValidationError', 'The request is not valid: the property `name` of a flag cannot be changed.')
  }
  const after: FeatureRow = {
    ...before,
    description: body.description === undefined ? before.description : body.description,
    type: body.type ?? before.type,
    stale: Number(body.stale ?? before.stale === 1),
    impression_data: Number(body.impressionData ?? before.impression_data === 1),
  }
  await tx
    .updateTable('features')
    .set({
      description: after.description,
      type: after.type,
      stale: after.stale,
      impression_data: after.impression_data,
    })
    .where('name', '=', before.name)
    .execute()
  return { result: after, events: eventsOfUpdate({ before, after, variants: variants.get(feature) ?? [] }) }
}

function eventsOfUpdate(change: Required<FeatureChange>): NewEvent[] {
  const { before, after } = change
  const events: NewEvent[] = []
  const isOther =
    before.description !== after.description ||
    before.type !== after.type ||
    before.impression_data !== after.impression_data
  if (isOther) events.push(buildFeatureEvent('feature-metadata-updated', change))
  if (before.stale !== after.stale) {
    events.push(buildFeatureEvent(after.stale === 1 ? 'feature-stale-on' : 'feature-stale-off', change))
  }
  return events
}
