import { compareText } from '@burgee/kit/compare-text'
import type { Tag } from '@burgee/protocol/event'
import type { Constraint, Dependency, Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import type { Reader } from './database.ts'
import { type Revision, revisionOf } from './epochs.ts'

/** Which flags are asked for. */
export interface FlagQuery {
  readonly environment: string
  /** Project ids; `['*']` means all, also those to come. */
  readonly projects: readonly string[]
  readonly namePrefix?: string | undefined
  /** A flag needs one of these tags; no tags, no condition. */
  readonly tags?: readonly Tag[] | undefined
}

/** Flags that were asked for, as SDKs get them, segments by id. */
export interface Snapshot {
  readonly revision: Revision
  readonly features: readonly Feature[]
  /** The segments that these flags refer to, by id. */
  readonly segments: readonly Segment[]
}

/**
 * Reads what is asked for in a constant number of queries; give it a view, so that all of them see one state. 'download' is what
 * SDKs get; 'explain' keeps disabled strategies, ids and titles. A flag is as enabled in both, so that nobody is told
 * another thing than SDKs are.
 */
export async function readSnapshot(
  reader: Reader,
  wanted: FlagQuery,
  form: 'download' | 'explain' = 'download',
): Promise<Snapshot> {
  const revision = await revisionOf(reader, wanted.environment)
  const rows = await featureRows(reader, wanted)
  const strategies = await strategiesByFeature(reader, wanted)
  const dependencies = await dependenciesByChild(reader)
  const features = rows.map((row): Feature => {
    const all = strategies.get(row.name) ?? []
    const running = all.filter((strategy) => strategy.disabled === 0)
    const parents = dependencies.get(row.name)
    return {
      name: row.name,
      type: row.type,
      // without strategies a flag is on for everybody: that must not happen by disabling the last one
      enabled: row.enabled === 1 && (all.length === 0 || running.length > 0),
      project: row.project,
      stale: row.stale === 1,
      strategies: form === 'explain' ? all.map(explained) : running.map((strategy) => strategy.document),
      variants: sortedByName(row.variants),
      description: row.description,
      impressionData: row.impression_data === 1,
      ...(parents === undefined ? {} : { dependencies: parents }),
    }
  })
  const used = new Set(features.flatMap((feature) => feature.strategies).flatMap(({ segments }) => segments ?? []))
  const segments = (await allSegments(reader)).filter((segment) => used.has(segment.id))
  return { revision, features, segments }
}

function explained({ id, title, disabled, document }: SnapshotStrategy): Strategy {
  return { id, ...document, ...(title === null ? {} : { title }), disabled: disabled === 1 }
}

function featureRows(reader: Reader, wanted: FlagQuery) {
  let query = reader
    .selectFrom('features as f')
    .innerJoin('feature_environments as e', 'e.feature_name', 'f.name')
    .select([
      'f.name',
      'f.type',
      'f.project',
      'f.stale',
      'f.description',
      'f.impression_data',
      'e.enabled',
      'e.variants',
    ])
    .where('e.environment', '=', wanted.environment)
    .where('f.archived_at', 'is', null)
  if (!wanted.projects.includes('*')) query = query.where('f.project', 'in', [...wanted.projects, ''])
  const { namePrefix, tags } = wanted
  if (namePrefix !== undefined && namePrefix !== '') {
    // LIKE would fold case on one database, and read % and _ as wildcards
    query = query.where(({ eb, fn, val }) =>
      eb(fn<string>('substr', ['f.name', val(1), val([...namePrefix].length)]), '=', namePrefix),
    )
  }
  if (tags !== undefined && tags.length > 0) {
    query = query.where('f.name', 'in', (inner) =>
      inner
        .selectFrom('feature_tags')
        .select('feature_name')
        .where(({ or, and }) => or(tags.map(({ type, value }) => and({ type, value })))),
    )
  }
  return query.orderBy('f.name').execute()
}

interface SnapshotStrategy {
  readonly id: string
  readonly title: string | null
  readonly disabled: number
  readonly document: Strategy
}

async function strategiesByFeature(
  reader: Reader,
  { environment }: FlagQuery,
): Promise<Map<string, SnapshotStrategy[]>> {
  const links = await reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .select(['x.strategy_id as id', 'x.segment_id as segment'])
    .where('s.environment', '=', environment)
    .orderBy('x.segment_id')
    .execute()
  const segments = Map.groupBy(links, (link) => link.id)
  const rows = await reader
    .selectFrom('feature_strategies')
    .select(['id', 'feature_name', 'name', 'title', 'disabled', 'parameters', 'constraints', 'variants'])
    .where('environment', '=', environment)
    .orderBy('sort_order')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const found = new Map<string, SnapshotStrategy[]>()
  for (const { id, feature_name, title, disabled, ...document } of rows) {
    const own = segments.get(id)?.map((link) => link.segment)
    const strategy = { id, title, disabled, document: own === undefined ? document : { ...document, segments: own } }
    const list = found.get(feature_name)
    if (list === undefined) found.set(feature_name, [strategy])
    else list.push(strategy)
  }
  return found
}

async function dependenciesByChild(reader: Reader): Promise<Map<string, Dependency[]>> {
  const rows = await reader.selectFrom('feature_dependencies').selectAll().orderBy('parent').execute()
  const found = new Map<string, Dependency[]>()
  for (const row of rows) {
    const variants = row.variants.length === 0 ? {} : { variants: row.variants }
    const dependency = { feature: row.parent, enabled: row.enabled === 1, ...variants }
    found.set(row.child, [...(found.get(row.child) ?? []), dependency])
  }
  return found
}

async function allSegments(reader: Reader): Promise<{ id: number; name: string; constraints: Constraint[] }[]> {
  return reader.selectFrom('segments').select(['id', 'name', 'constraints']).orderBy('id').execute()
}

function sortedByName(variants: readonly VariantDefinition[]): VariantDefinition[] {
  return variants.toSorted((a, b) => compareText(a.name, b.name))
}
