import { invalid } from '@burgee/kit/input/refusals'
import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { Reader } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type CountedTable,
  countRows,
  countStrategies,
  countTagsOfFeatures,
} from '@burgee/storage/queries/flags/collection-counts'
import { inOneRoundTrip } from './in-one-round-trip.ts'
import { type ConfiguredLimits, RESOURCE_LIMITS, TABLE_LIMITS } from './resource-limits.ts'

type Plan = Pick<ReleasePlan, 'milestones'>

/** Tables that belong to the whole installation, with the prefix of the events that add and remove their rows. */
const TABLES: readonly { readonly subject: string; readonly table: CountedTable }[] = [
  { subject: 'api-token', table: 'api_tokens' },
  { subject: 'context-field', table: 'context_fields' },
  { subject: 'environment', table: 'environments' },
  { subject: 'segment', table: 'segments' },
  { subject: 'strategy', table: 'strategy_types' },
  { subject: 'tag', table: 'tags' },
  { subject: 'tag-type', table: 'tag_types' },
]

/**
 * Rejects changes that would make a list of rows longer than allowed. Applies to all changes, and is called after the
 * change has written its rows. A list that was too long before the change can stay as it is or shrink. Throws
 * ValidationError.
 */
export async function requireCollectionLimits(
  reader: Reader,
  { featureEnvironmentStrategies }: Pick<ConfiguredLimits, 'featureEnvironmentStrategies'>,
  events: readonly NewEvent[],
): Promise<void> {
  const grown = TABLES.filter(({ subject }) => {
    return (
      readGrowth(events, { added: `${subject}-created`, removed: `${subject}-deleted` }, () => subject).keys.size > 0
    )
  })
  await inOneRoundTrip([
    requireStrategyLimit(reader, featureEnvironmentStrategies, events),
    requireTagLimit(reader, events),
    ...grown.map(({ table }) => requireTableLimit(reader, table)),
  ])
}

async function requireTableLimit(reader: Reader, table: CountedTable): Promise<void> {
  const max = TABLE_LIMITS[table]
  if ((await countRows(reader, table)) <= max) return
  throw invalid(`There must not be more than ${max} ${table.replaceAll('_', ' ')}.`, 'body')
}

async function requireStrategyLimit(reader: Reader, max: number, events: readonly NewEvent[]): Promise<void> {
  const getKey = (feature: string | undefined, environment: string | undefined) =>
    JSON.stringify([feature, environment])
  const types = { added: 'feature-strategy-add', removed: 'feature-strategy-remove' }
  const grown = readGrowth(withoutMilestones(events), types, (event) => getKey(event.featureName, event.environment))
  for (const { feature, environment, count } of await countStrategies(reader, grown.features)) {
    if (count <= max || !grown.keys.has(getKey(feature, environment))) continue
    const where = `Flag "${feature}" must not have more than ${max} strategies in the environment "${environment}"`
    throw invalid(`${where} (FEATURE_ENVIRONMENT_STRATEGIES_LIMIT).`, 'body/strategies')
  }
}

/**
 * Leaves out events about strategies that a started milestone adds. Users must be able to start a milestone by hand
 * even when lists are full, as the schedule can. The limit applies to all other strategies.
 */
function withoutMilestones(events: readonly NewEvent[]): readonly NewEvent[] {
  const plans = events.filter(({ type }) => type === 'release-plan-milestone-started').map(({ data }) => data as Plan)
  if (plans.length === 0) return events
  const ids = new Set<string | undefined>(
    plans.flatMap(({ milestones }) => milestones.flatMap(({ strategies }) => strategies.map(({ id }) => id))),
  )
  return events.filter(({ data, preData }) => !ids.has(((data ?? preData) as { readonly id?: string } | undefined)?.id))
}

async function requireTagLimit(reader: Reader, events: readonly NewEvent[]): Promise<void> {
  const grown = readGrowth(
    events,
    { added: 'feature-tagged', removed: 'feature-untagged' },
    (event) => event.featureName ?? '',
  )
  for (const [feature, count] of await countTagsOfFeatures(reader, grown.features)) {
    if (count <= RESOURCE_LIMITS.featureTags) continue
    throw invalid(`Flag "${feature}" must not have more than ${RESOURCE_LIMITS.featureTags} tags.`, 'body/tags')
  }
}

/** Returns the keys of the lists that have become longer, and the flags to which they belong. */
function readGrowth(
  events: readonly NewEvent[],
  { added, removed }: { readonly added: string; readonly removed: string },
  getKey: (event: NewEvent) => string,
): { readonly keys: ReadonlySet<string>; readonly features: readonly string[] } {
  const growth = new Map<string, { feature: string; by: number }>()
  for (const event of events) {
    if (event.type !== added && event.type !== removed) continue
    const key = getKey(event)
    const before = growth.get(key)?.by ?? 0
    growth.set(key, { feature: event.featureName ?? '', by: before + (event.type === added ? 1 : -1) })
  }
  const grown = [...growth].filter(([, { by }]) => by > 0)
  return {
    keys: new Set(grown.map(([key]) => key)),
    features: [...new Set(grown.map(([, { feature }]) => feature))],
  }
}
