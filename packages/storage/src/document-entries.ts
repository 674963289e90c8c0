import type { Tag } from '@burgee/protocol/event'
import type { Dependency, Segment } from '@burgee/protocol/feature'
import { createSharedEntry, type FlagEntry } from '@burgee/serving/document/environment-document'
import { sql } from 'kysely'
import { chunks, getFlagsPerQuery } from './chunks.ts'
import type { Reader } from './database.ts'
import { isSqlite } from './dialect.ts'
import {
  type FlagRow,
  listLiveNames,
  readDependencies,
  readSegments,
  readTags,
  type StoredStrategy,
  shareTags,
  toFeature,
} from './document-flags.ts'
import { type Revision, readRevision } from './epochs.ts'
import { expandRows } from './json-rows.ts'
import { defineStatement, type Placeholders } from './statement.ts'

/** All flags and segments of an environment at one revision. Environments share entries that are equal. */
export interface EnvironmentEntries {
  readonly revision: Revision
  /** Flags that are not archived, sorted by name. */
  readonly flags: readonly FlagEntry[]
  /** Segments sorted by id, including segments that no flag uses. */
  readonly segments: readonly Segment[]
}

/**
 * Reads several environments in one pass over the flags, so that data that the environments share is read and prepared
 * only once. The reader must be a view, so that all queries see the same snapshot.
 */
export async function readEnvironments(
  reader: Reader,
  environments: readonly string[],
): Promise<ReadonlyMap<string, EnvironmentEntries>> {
  const [names, segments, revisions] = await Promise.all([
    listLiveNames(reader),
    readSegments(reader),
    Promise.all(environments.map((environment) => readRevision(reader, environment))),
  ])
  const lists = new Map<string, FlagEntry[]>(environments.map((environment) => [environment, []]))
  const tagLists = new Map<string, readonly Tag[]>()
  const json = JSON.stringify(environments.map((environment) => [environment]))
  for (const part of chunks(names, getFlagsPerQuery(environments.length))) {
    for (const states of await readStates(reader, { environments: json, names: part })) {
      const tags = shareTags(tagLists, states)
      for (const [environment, entry] of createEntries(states, tags)) lists.get(environment)?.push(entry)
    }
  }
  return new Map(
    environments.map((environment, index) => {
      const revision = revisions[index] ?? { epoch: '', id: 0 }
      return [environment, { revision, flags: lists.get(environment) ?? [], segments }]
    }),
  )
}

/** Selection of flags. */
interface FlagChoice {
  /** Names as JSON: a list of lists that each contain one name. */
  readonly environments: string
  readonly names: readonly string[]
}

/** State of a flag, without its strategies, that several environments can share. */
interface FlagGroup {
  readonly row: FlagRow
  readonly environments: readonly string[]
}

/** A flag with its states in all environments. */
interface FlagStates {
  readonly groups: readonly FlagGroup[]
  /** Strategies by environment; environments without strategies have no entry. */
  readonly strategies: ReadonlyMap<string, readonly StoredStrategy[]>
  readonly dependencies: Dependency[] | undefined
  readonly tags: readonly Tag[]
}

function* createEntries(
  { groups, strategies, dependencies }: FlagStates,
  tags: readonly Tag[],
): Generator<readonly [environment: string, entry: FlagEntry]> {
  /** Entries that were already created for this flag, by their JSON. */
  const known = new Map<string, FlagEntry>()
  const share = (row: FlagRow, own: readonly StoredStrategy[]): FlagEntry => {
    const feature = toFeature(row, { strategies: own, dependencies, form: 'download' })
    const entry = createSharedEntry({ feature, tags })
    const first = known.get(entry.json)
    if (first !== undefined) return first
    known.set(entry.json, entry)
    return entry
  }
  for (const { row, environments } of groups) {
    let withoutStrategies: FlagEntry | undefined
    for (const environment of environments) {
      const own = strategies.get(environment)
      if (own === undefined) withoutStrategies ??= share(row, [])
      yield [environment, own === undefined ? (withoutStrategies as FlagEntry) : share(row, own)]
    }
  }
}

/** Reads flags with a fixed number of queries. */
async function readStates(reader: Reader, choice: FlagChoice): Promise<readonly FlagStates[]> {
  const [rows, strategies, dependencies, tags] = await Promise.all([
    readGroupRows(reader, choice),
    readStrategies(reader, choice),
    readDependencies(reader, choice),
    readTags(reader, choice),
  ])
  return [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => ({
    groups: own.map((row) => ({ row, environments: JSON.parse(row.environments) as string[] })),
    strategies: strategies.get(name) ?? new Map(),
    dependencies: dependencies.get(name),
    tags: tags.get(name) ?? [],
  }))
}

const countNames = ({ names }: FlagChoice) => [names.length] as const

const ENVIRONMENT = [['environment', 'text']] as const

/**
 * Returns an SQL condition that is true if a column contains one of the chosen environments. The SQL is the same for
 * any number of environments.
 */
function isChosen(reader: Reader, column: string, at: Placeholders<FlagChoice>) {
  return sql<boolean>`${sql.ref(column)} in (${expandRows(reader, at('environments'), ENVIRONMENT)})`
}

/**
 * Returns one row for each distinct state of a flag, with a JSON list of the environments in which the flag has that
 * state.
 */
const readGroupRows = defineStatement((reader, at: Placeholders<FlagChoice>, names: number) => {
  const environment = sql.ref('x.environment')
  const environments = isSqlite(reader) ? sql`json_group_array(${environment})` : sql`json_agg(${environment})::text`
  // grouped before the join, because a group has few columns, and each flag has a row per environment
  const states = reader
    .selectFrom('feature_environments as x')
    .select(['x.feature_name', 'x.enabled', 'x.variants', environments.$castTo<string>().as('environments')])
    .where('x.feature_name', 'in', at.each('names', names))
    .where(isChosen(reader, 'x.environment', at))
    .groupBy(['x.feature_name', 'x.enabled', 'x.variants'])
  return reader
    .selectFrom(states.as('e'))
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .leftJoin('feature_values as v', 'v.feature_name', 'f.name')
    .select(['f.name', 'f.type', 'f.project', 'f.stale', 'f.description', 'f.impression_data'])
    .select(['e.enabled', 'e.variants', 'e.environments', 'v.value_type'])
    .where('f.archived_at', 'is', null)
    .orderBy('f.name')
}, countNames)

const readLinkRows = defineStatement(
  (reader, at: Placeholders<FlagChoice>, names: number) =>
    reader
      .selectFrom('feature_strategy_segments as x')
      .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
      .select(['x.strategy_id as id', 'x.segment_id as segment'])
      .where('s.feature_name', 'in', at.each('names', names))
      .where(isChosen(reader, 's.environment', at))
      .orderBy('x.segment_id'),
  countNames,
)

const readStrategyRows = defineStatement(
  (reader, at: Placeholders<FlagChoice>, names: number) =>
    reader
      .selectFrom('feature_strategies')
      .select(['id', 'environment', 'feature_name', 'name', 'title', 'disabled', 'parameters', 'constraints'])
      .select('variants')
      .where('feature_name', 'in', at.each('names', names))
      .where(isChosen(reader, 'environment', at))
      .orderBy('sort_order')
      .orderBy('created_at')
      .orderBy('id'),
  countNames,
)

/** Returns strategies by flag name and environment. */
async function readStrategies(reader: Reader, choice: FlagChoice): Promise<Map<string, Map<string, StoredStrategy[]>>> {
  const [links, rows] = await Promise.all([readLinkRows(reader, choice), readStrategyRows(reader, choice)])
  const segments = Map.groupBy(links, (link) => link.id)
  const found = new Map<string, Map<string, StoredStrategy[]>>()
  for (const { id, environment, feature_name, title, disabled, ...document } of rows) {
    const own = segments.get(id)?.map((link) => link.segment)
    const strategy = { id, title, disabled, document: own === undefined ? document : { ...document, segments: own } }
    const ofFlag = found.get(feature_name) ?? new Map<string, StoredStrategy[]>()
    if (ofFlag.size === 0) found.set(feature_name, ofFlag)
    const list = ofFlag.get(environment)
    if (list === undefined) ofFlag.set(environment, [strategy])
    else list.push(strategy)
  }
  return found
}
