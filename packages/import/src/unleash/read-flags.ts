import type { SourceFlag, SourceState, SourceStrategy } from '../model/source-flags.ts'
import type { DatabaseSnapshot, SourceRow } from './database-snapshot.ts'
import { DEPENDENCIES, SEGMENTS_OF_STRATEGIES } from './flag-tables.ts'
import { toConstraints, toParameters, toTexts, toVariants } from './stored-json.ts'

const FEATURES = {
  name: 'features',
  columns: {
    name: 'text',
    project: 'text',
    type: 'text',
    description: 'text',
    stale: 'yes',
    potentially_stale: 'yes',
    impression_data: 'yes',
    created_at: 'time',
    archived_at: 'time',
    last_seen_at: 'time',
    created_by_user_id: 'number',
  },
  order: 'created_at, name',
} as const

const STATES = {
  name: 'feature_environments',
  columns: { feature_name: 'text', environment: 'text', enabled: 'yes', variants: 'json', last_seen_at: 'time' },
  order: 'feature_name, environment',
} as const

const STRATEGIES = {
  name: 'feature_strategies',
  columns: {
    id: 'text',
    feature_name: 'text',
    environment: 'text',
    strategy_name: 'text',
    title: 'text',
    parameters: 'json',
    constraints: 'json',
    variants: 'json',
    disabled: 'yes',
    created_at: 'time',
  },
  // strategies with equal sort orders are ordered by age. Source: wire protocol
  order: 'sort_order, feature_strategies.created_at, feature_strategies.id',
} as const

const TAGS_OF_FLAGS = {
  name: 'feature_tag',
  columns: { feature_name: 'text', tag_type: 'text', tag_value: 'text' },
  order: 'feature_name, tag_type, tag_value',
} as const

const STAGES = {
  name: 'feature_lifecycles',
  columns: { feature: 'text', stage: 'text', created_at: 'time' },
  order: 'feature, feature_lifecycles.created_at',
} as const

/**
 * Time of the last SDK request. Older databases store this time in columns of flags and environments instead. Source:
 * wire protocol
 */
const LAST_SEEN = {
  name: 'last_seen_at_metrics',
  columns: { feature_name: 'text', environment: 'text', last_seen_at: 'time' },
  order: 'feature_name, environment',
} as const

/** Reads all flags with their related rows, including archived flags. Omits rows of deleted flags. */
export async function readFlags(snapshot: DatabaseSnapshot): Promise<SourceFlag[]> {
  const states = await readStates(snapshot)
  const dependencies = Map.groupBy(await snapshot.rows(DEPENDENCIES), ({ child }) => child ?? '')
  const tags = Map.groupBy(await snapshot.rows(TAGS_OF_FLAGS), ({ feature_name: flag }) => flag ?? '')
  const stages = Map.groupBy(await snapshot.rows(STAGES), ({ feature }) => feature ?? '')
  return (await snapshot.rows(FEATURES)).map((row) => {
    const name = row.name ?? ''
    const own = states.get(name) ?? []
    return {
      name,
      project: row.project ?? 'default',
      type: row.type ?? 'release',
      description: row.description,
      stale: row.stale === true,
      potentiallyStale: row.potentially_stale === true,
      impressionData: row.impression_data === true,
      createdAt: row.created_at ?? 0,
      archivedAt: row.archived_at,
      lastSeenAt: findLatest(row.last_seen_at, ...own.map(({ lastSeenAt }) => lastSeenAt)),
      createdByUserId: row.created_by_user_id,
      states: own,
      dependencies: (dependencies.get(name) ?? []).map(({ parent, enabled, variants }) => ({
        parent: parent ?? '',
        enabled: enabled !== false,
        variants: toTexts(variants),
      })),
      tags: (tags.get(name) ?? []).map((tag) => ({ type: tag.tag_type ?? '', value: tag.tag_value ?? '' })),
      stages: (stages.get(name) ?? []).map(({ stage, created_at: at }) => ({ stage: stage ?? '', enteredAt: at ?? 0 })),
    }
  })
}

async function readStates(snapshot: DatabaseSnapshot): Promise<Map<string, SourceState[]>> {
  const strategies = await readStrategies(snapshot)
  const seen = new Map(
    (await snapshot.rows(LAST_SEEN)).map((row) => [
      getFlagEnvironmentKey(row.feature_name, row.environment),
      row.last_seen_at,
    ]),
  )
  const byFlag = Map.groupBy(await snapshot.rows(STATES), ({ feature_name: flag }) => flag ?? '')
  return new Map(
    [...byFlag].map(([flag, rows]) => [
      flag,
      rows.map(({ environment, enabled, variants, last_seen_at: before }) => ({
        environment: environment ?? '',
        enabled: enabled === true,
        variants: toVariants(variants),
        strategies: strategies.get(getFlagEnvironmentKey(flag, environment)) ?? [],
        lastSeenAt: findLatest(before, seen.get(getFlagEnvironmentKey(flag, environment)) ?? null),
      })),
    ]),
  )
}

async function readStrategies(snapshot: DatabaseSnapshot): Promise<Map<string, SourceStrategy[]>> {
  const links = Map.groupBy(await snapshot.rows(SEGMENTS_OF_STRATEGIES), (row) => row.feature_strategy_id ?? '')
  const strategyOf = (row: SourceRow<typeof STRATEGIES.columns>): SourceStrategy => ({
    id: row.id ?? undefined,
    name: row.strategy_name ?? '',
    title: row.title,
    disabled: row.disabled === true,
    parameters: toParameters(row.parameters),
    constraints: toConstraints(row.constraints),
    variants: toVariants(row.variants),
    createdAt: row.created_at ?? 0,
    segments: (links.get(row.id ?? '') ?? []).map(({ segment_id: id }) => id ?? 0),
  })
  const rows = await snapshot.rows(STRATEGIES)
  const byPlace = Map.groupBy(rows, (row) => getFlagEnvironmentKey(row.feature_name, row.environment))
  return new Map([...byPlace].map(([place, own]) => [place, own.map(strategyOf)]))
}

function getFlagEnvironmentKey(flag: string | null, environment: string | null): string {
  return JSON.stringify([flag, environment])
}

function findLatest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.max(...known)
}
