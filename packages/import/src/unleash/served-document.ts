import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Served } from '../model/source.ts'
import type { DatabaseSnapshot } from './database-snapshot.ts'
import { DEPENDENCIES, SEGMENTS_OF_STRATEGIES } from './flag-tables.ts'

const FEATURES = {
  name: 'features',
  columns: {
    name: 'text',
    type: 'text',
    project: 'text',
    stale: 'yes',
    impression_data: 'yes',
    archived: 'yes',
    archived_at: 'time',
  },
  order: 'name',
} as const

const STATES = {
  name: 'feature_environments',
  columns: { feature_name: 'text', environment: 'text', enabled: 'yes', variants: 'json' },
  order: 'feature_name',
} as const

const STRATEGIES = {
  name: 'feature_strategies',
  columns: {
    id: 'text',
    feature_name: 'text',
    environment: 'text',
    strategy_name: 'text',
    parameters: 'json',
    constraints: 'json',
    variants: 'json',
    disabled: 'yes',
  },
  order: 'sort_order, feature_strategies.created_at, feature_strategies.id',
} as const

const SEGMENTS = {
  name: 'segments',
  columns: { id: 'number', name: 'text', constraints: 'json' },
  order: 'segments.id',
} as const

type Feature = FeatureDocument['features'][number]
type Documents = (environment: string) => Served

/**
 * Builds SDK downloads from the tables of a snapshot, with values exactly as stored. This code shares no conversion
 * code with the import, so that comparing both results reveals conversion errors.
 */
export async function readServedDocuments(snapshot: DatabaseSnapshot): Promise<Documents> {
  const segments = (await snapshot.rows(SEGMENTS)).map(({ id, name, constraints }) => ({ id, name, constraints }))
  const flags = new Map((await snapshot.rows(FEATURES)).map((row) => [row.name, row]))
  const states = Map.groupBy(await snapshot.rows(STATES), ({ environment }) => environment)
  const strategies = await readStrategies(snapshot)
  const parents = Map.groupBy(await snapshot.rows(DEPENDENCIES), ({ child }) => child)
  return (environment) => {
    const features = (states.get(environment) ?? []).flatMap((state) => {
      const flag = flags.get(state.feature_name)
      if (flag === undefined || flag.archived_at !== null || flag.archived === true) return []
      return [
        {
          name: flag.name,
          type: flag.type,
          project: flag.project,
          stale: flag.stale === true,
          impressionData: flag.impression_data === true,
          enabled: state.enabled === true,
          strategies: strategies.get(getFlagEnvironmentKey(flag.name, environment)) ?? [],
          variants: state.variants ?? [],
          dependencies: (parents.get(flag.name) ?? []).map(({ parent, enabled, variants }) => ({
            feature: parent,
            enabled: enabled !== false,
            variants: variants ?? [],
          })),
        } as unknown as Feature,
      ]
    })
    const document = { version: 2, features, segments } as unknown as FeatureDocument
    return { document, projects: ['*'] }
  }
}

/** Reads the enabled strategies of each flag and environment, in order. */
async function readStrategies(snapshot: DatabaseSnapshot): Promise<Map<string, object[]>> {
  const links = Map.groupBy(await snapshot.rows(SEGMENTS_OF_STRATEGIES), (row) => row.feature_strategy_id)
  const enabled = (await snapshot.rows(STRATEGIES)).filter(({ disabled }) => disabled !== true)
  const byPlace = Map.groupBy(enabled, (row) => getFlagEnvironmentKey(row.feature_name, row.environment))
  return new Map(
    [...byPlace].map(([key, rows]) => [
      key,
      rows.map((row) => ({
        name: row.strategy_name,
        parameters: row.parameters ?? {},
        constraints: row.constraints ?? [],
        variants: row.variants ?? [],
        segments: (links.get(row.id) ?? []).map(({ segment_id: id }) => id),
      })),
    ]),
  )
}

function getFlagEnvironmentKey(flag: string | null, environment: string | null): string {
  return JSON.stringify([flag, environment])
}
