import type { Tag } from '@burgee/protocol/event'
import type { Dependency, Feature, Segment, Strategy, VariantDefinition } from '@burgee/protocol/feature'
import type { ManifestType } from '@burgee/protocol/openfeature/manifest'
import type { DocumentFlag } from '@burgee/serving/document/environment-document'
import { chunks, FLAGS_PER_QUERY } from './chunks.ts'
import type { Reader } from './database.ts'
import { type Revision, readRevision } from './epochs.ts'
import { defineStatement, type Placeholders } from './statement.ts'

/**
 * Form in which flags are returned. 'download': in the form that SDKs receive. 'explain': also contains disabled
 * strategies, ids and titles.
 */
export type FlagForm = 'download' | 'explain'

/** All flags and segments of an environment at one revision. */
export interface EnvironmentFlags {
  readonly revision: Revision
  /** Flags that are not archived, sorted by name. */
  readonly flags: readonly DocumentFlag[]
  /** Segments sorted by id, including segments that no flag uses. */
  readonly segments: readonly Segment[]
}

/**
 * Reads an environment in steps of a few hundred flags, with a fixed number of queries per step. The reader must be a
 * view, so that all queries see the same snapshot.
 */
export async function readEnvironment(
  reader: Reader,
  environment: string,
  form: FlagForm = 'download',
): Promise<EnvironmentFlags> {
  const [revision, names, segments] = await Promise.all([
    readRevision(reader, environment),
    listLiveNames(reader),
    readSegments(reader),
  ])
  const flags: DocumentFlag[] = []
  const tagLists = new Map<string, readonly Tag[]>()
  for (const part of chunks(names, FLAGS_PER_QUERY)) {
    const read = await readSelectedFlags(reader, { environments: [environment], names: part }, form)
    for (const flag of read.get(environment) ?? [])
      flags.push({ feature: flag.feature, tags: shareTags(tagLists, flag) })
  }
  return { revision, flags, segments }
}

/**
 * Returns the same array object for equal lists of tags, to save memory: there are many flags but few different lists.
 */
export function shareTags(
  lists: Map<string, readonly Tag[]>,
  { tags = [] }: Pick<DocumentFlag, 'tags'>,
): readonly Tag[] {
  const key = JSON.stringify(tags)
  const known = lists.get(key)
  if (known !== undefined) return known
  lists.set(key, tags)
  return tags
}

/** Returns the names of all flags that are not archived. */
export async function listLiveNames(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom('features')
    .select('name')
    .where('archived_at', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/**
 * Reads flags by name in several environments, with a fixed number of queries. Omits unknown flags, archived flags, and
 * flags that do not exist in an environment.
 */
export async function readFlags(
  reader: Reader,
  environments: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly DocumentFlag[]>> {
  return names.length === 0 ? new Map() : readSelectedFlags(reader, { environments, names }, 'download')
}

/** Reads all segments, sorted by their ids. */
export async function readSegments(reader: Reader): Promise<Segment[]> {
  return reader.selectFrom('segments').select(['id', 'name', 'constraints']).orderBy('id').execute()
}

/** Selection of flags. */
interface FlagKeys {
  readonly environments: readonly string[]
  readonly names: readonly string[]
}

/**
 * Returns flags grouped by environment. `enabled` is the same in both forms, so that explanations show the state that
 * SDKs receive.
 */
async function readSelectedFlags(
  reader: Reader,
  choice: FlagKeys,
  form: FlagForm,
): Promise<Map<string, DocumentFlag[]>> {
  const [rows, strategies, dependencies, tags] = await Promise.all([
    readFeatureRows(reader, choice),
    readStrategies(reader, choice),
    readDependencies(reader, choice),
    readTags(reader, choice),
  ])
  const found = new Map<string, DocumentFlag[]>(choice.environments.map((environment) => [environment, []]))
  for (const row of rows) {
    const own = strategies.get(getStrategyKey(row.environment, row.name)) ?? []
    const feature = toFeature(row, { strategies: own, dependencies: dependencies.get(row.name), form })
    found.get(row.environment)?.push({ feature, tags: tags.get(row.name) ?? [] })
  }
  return found
}

/** Columns of a flag for one environment. */
export interface FlagRow {
  readonly name: string
  readonly type: string
  readonly project: string
  readonly stale: number
  readonly description: string | null
  readonly impression_data: number
  readonly value_type: ManifestType | null
  readonly enabled: number
  readonly variants: VariantDefinition[]
}

/** Parts of a flag that other tables contain, and the form in which to return the flag. */
export interface FlagParts {
  /** All strategies that the flag has in the environment, in order. */
  readonly strategies: readonly StoredStrategy[]
  /** Undefined if the flag has no parents. */
  readonly dependencies: Dependency[] | undefined
  readonly form: FlagForm
}

/** Returns a flag in the form that SDKs receive, or with the details of its strategies. */
export function toFeature(row: FlagRow, { strategies, dependencies, form }: FlagParts): Feature {
  const running = strategies.filter((strategy) => strategy.disabled === 0)
  return {
    name: row.name,
    type: row.type,
    enabled: isOn(row.enabled === 1, strategies.length, running.length),
    project: row.project,
    stale: row.stale === 1,
    strategies: form === 'explain' ? strategies.map(toExplainedStrategy) : running.map(({ document }) => document),
    variants: row.variants,
    description: row.description,
    impressionData: row.impression_data === 1,
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(row.value_type === null || row.value_type === 'boolean' ? {} : { valueType: row.value_type }),
  }
}

/**
 * Returns true if SDKs receive the flag as enabled. A flag without strategies is on for everyone. A flag whose
 * strategies are all disabled is off.
 */
export function isOn(isSwitchedOn: boolean, strategies: number, enabledStrategies: number): boolean {
  return isSwitchedOn && (strategies === 0 || enabledStrategies > 0)
}

const getStrategyKey = (environment: string, feature: string): string => `${environment} ${feature}`

function toExplainedStrategy({ id, title, disabled, document }: StoredStrategy): Strategy {
  return { id, ...document, ...(title === null ? {} : { title }), disabled: disabled === 1 }
}

const countSelected = ({ environments, names }: FlagKeys) => [environments.length, names.length] as const
const countNames = ({ names }: Pick<FlagKeys, 'names'>) => [names.length] as const

const readFeatureRows = defineStatement((reader, at: Placeholders<FlagKeys>, environments: number, names: number) => {
  const query = reader
    .selectFrom('features as f')
    .innerJoin('feature_environments as e', 'e.feature_name', 'f.name')
    .leftJoin('feature_values as v', 'v.feature_name', 'f.name')
    .select([
      'f.name',
      'f.type',
      'f.project',
      'f.stale',
      'f.description',
      'f.impression_data',
      'e.environment',
      'e.enabled',
      'e.variants',
      'v.value_type',
    ])
    .where('e.environment', 'in', at.each('environments', environments))
    .where('f.archived_at', 'is', null)
    .where('f.name', 'in', at.each('names', names))
  return query.orderBy('f.name')
}, countSelected)

/** Stored strategy, together with the part that SDKs receive. */
export interface StoredStrategy {
  readonly id: string
  readonly title: string | null
  readonly disabled: number
  readonly document: Strategy
}

const readLinkRows = defineStatement(
  (reader, at: Placeholders<FlagKeys>, environments: number, names: number) =>
    reader
      .selectFrom('feature_strategy_segments as x')
      .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
      .select(['x.strategy_id as id', 'x.segment_id as segment'])
      .where('s.environment', 'in', at.each('environments', environments))
      .where('s.feature_name', 'in', at.each('names', names))
      .orderBy('x.segment_id'),
  countSelected,
)

const readStrategyRows = defineStatement((reader, at: Placeholders<FlagKeys>, environments: number, names: number) => {
  const chosen = reader
    .selectFrom('feature_strategies')
    .select(['id', 'environment', 'feature_name', 'name', 'title', 'disabled', 'parameters', 'constraints', 'variants'])
    .where('environment', 'in', at.each('environments', environments))
    .where('feature_name', 'in', at.each('names', names))
  return chosen.orderBy('sort_order').orderBy('created_at').orderBy('id')
}, countSelected)

/** Returns strategies, grouped by environment and then by flag name. */
async function readStrategies(reader: Reader, choice: FlagKeys): Promise<Map<string, StoredStrategy[]>> {
  const [links, rows] = await Promise.all([readLinkRows(reader, choice), readStrategyRows(reader, choice)])
  const segments = Map.groupBy(links, (link) => link.id)
  const found = new Map<string, StoredStrategy[]>()
  for (const { id, environment, feature_name, title, disabled, ...document } of rows) {
    const own = segments.get(id)?.map((link) => link.segment)
    const strategy = { id, title, disabled, document: own === undefined ? document : { ...document, segments: own } }
    const place = getStrategyKey(environment, feature_name)
    const list = found.get(place)
    if (list === undefined) found.set(place, [strategy])
    else list.push(strategy)
  }
  return found
}

const readDependencyRows = defineStatement(
  (reader, at: Placeholders<Pick<FlagKeys, 'names'>>, names: number) =>
    reader
      .selectFrom('feature_dependencies')
      .selectAll()
      .where('child', 'in', at.each('names', names))
      .orderBy('parent'),
  countNames,
)

/** Returns the parents of flags, by the name of the child flag. */
export async function readDependencies(
  reader: Reader,
  choice: Pick<FlagKeys, 'names'>,
): Promise<Map<string, Dependency[]>> {
  const found = new Map<string, Dependency[]>()
  for (const row of await readDependencyRows(reader, choice)) {
    const dependency = { feature: row.parent, enabled: row.enabled === 1, variants: row.variants }
    found.set(row.child, [...(found.get(row.child) ?? []), dependency])
  }
  return found
}

const readTagRows = defineStatement(
  (reader, at: Placeholders<Pick<FlagKeys, 'names'>>, names: number) =>
    reader
      .selectFrom('feature_tags')
      .select(['feature_name', 'type', 'value'])
      .where('feature_name', 'in', at.each('names', names))
      .orderBy('type')
      .orderBy('value'),
  countNames,
)

/** Returns the tags of flags, by flag name. */
export async function readTags(reader: Reader, choice: Pick<FlagKeys, 'names'>): Promise<Map<string, Tag[]>> {
  const found = new Map<string, Tag[]>()
  for (const { feature_name, ...tag } of await readTagRows(reader, choice)) {
    const list = found.get(feature_name)
    if (list === undefined) found.set(feature_name, [tag])
    else list.push(tag)
  }
  return found
}
