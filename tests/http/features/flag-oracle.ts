/**
 * Oracle for admin views of flags: reads everything from the database for each request, for comparison with the
 * in-memory read models.
 */
import { compareNatural, compareText } from '@burgee/kit/compare-text'
import { invalid } from '@burgee/kit/input/refusals'
import type { AdminFeature, FeatureListItem } from '@burgee/protocol/admin-feature'
import type { Tag } from '@burgee/protocol/event'
import type { FeatureSearch, FoundFeature } from '@burgee/protocol/search'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { getExposure, toAdminStrategy, toFeatureState } from '@burgee/server/admin/flags/feature-views'
import { getCurrentStage } from '@burgee/server/admin/usage/stage-views'
import { getAvatarUrl } from '@burgee/server/core/avatars'
import { type Filter, matchesFilter, parseFilter, parseTime } from '@burgee/server/core/filters'
import { isoOrNull } from '@burgee/server/core/iso-time'
import type { Reader } from '@burgee/storage/database'
import { readFavoriteFeatures } from '@burgee/storage/queries/access/people'
import { listTags } from '@burgee/storage/queries/events/events'
import {
  type FeatureRow,
  filterDistinctVariants,
  listFeatureEnvironments,
} from '@burgee/storage/queries/flags/features'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import type { ProjectViewer } from '@burgee/storage/queries/projects/project-counts'
import { readCountsSince } from '@burgee/storage/queries/usage/flag-activity'
import { listStageRows } from '@burgee/storage/queries/usage/stages'
import { startOfHour } from '@burgee/storage/queries/usage/usage-reads'

const DEFAULT_LIMIT = 50
const DAY_MS = 86_400_000

/**
 * Returns the flags that match the conditions, sorted and limited to a page, and their total number, in a constant
 * number of queries. Throws ValidationError for an invalid condition.
 */
export async function searchFeatures(
  reader: Reader,
  search: FeatureSearch,
  { userId, now }: ProjectViewer,
): Promise<{ features: FoundFeature[]; total: number }> {
  const { limit = DEFAULT_LIMIT, offset = 0 } = search
  const archived = archivedOf(search.archived)
  const meetsAll = await conditionsOf(reader, search)
  const favorites = userId === undefined ? new Set<string>() : await readFavoriteFeatures(reader, userId)
  const isMine = ({ name, created_by_user_id }: FeatureRow) => created_by_user_id === userId || favorites.has(name)
  const keep: Keep = (row) =>
    meetsAll(row) && (search.mine === undefined || isMine(row) === (search.mine === 'IS:true'))
  const order = await orderOf(reader, search, favorites)
  const found = (await searchRows(reader, archived)).filter(keep).sort(order)
  const page = found.slice(offset, offset + limit).map((row) => row.name)
  const views = new Map(
    (await featureListOf(reader, { archived, names: page }, favorites)).map((view) => [view.name, view]),
  )
  const features = page.map((name) => views.get(name)).filter((view) => view !== undefined)
  return { features: await withContext(reader, features, now), total: found.length }
}

/** Adds dependencies, segments and the usage counts of this and the previous hour to a page of flags. */
async function withContext(reader: Reader, views: readonly FeatureListItem[], now: number): Promise<FoundFeature[]> {
  const names = views.map((view) => view.name)
  const types = await dependencyTypes(reader, names)
  const segments = await segmentsOfFlags(reader, names)
  const counts = await readCountsSince(reader, names, startOfHour(now, 1))
  return views.map((view) => ({
    ...view,
    dependencyType: types.get(view.name) ?? null,
    segments: (segments.get(view.name) ?? []).map(({ name }) => name),
    usedSegments: (segments.get(view.name) ?? []).toSorted((a, b) => a.id - b.id),
    environments: view.environments.map((environment) => ({
      ...environment,
      ...(counts.get(view.name)?.get(environment.name) ?? { yes: 0, no: 0 }),
    })),
  }))
}

/** Parses `IS:true` or `IS:false`. By default, only flags that are not archived match. */
function archivedOf(text: string | undefined): boolean {
  const filter = parseFilter(text, 'archived')
  if (filter === undefined) return false
  if (filter.values.every((value) => value === 'true' || value === 'false')) return matchesFilter(filter, ['true'])
  throw invalid('"archived" must be IS:true or IS:false', 'query/archived')
}

type Keep = (row: FeatureRow) => boolean

function stateOf({ stale, potentially_stale }: FeatureRow): string {
  if (stale === 1) return 'stale'
  return potentially_stale === 1 ? 'potentially-stale' : 'active'
}

async function conditionsOf(reader: Reader, search: FeatureSearch): Promise<Keep> {
  const project = parseFilter(search.project, 'project')
  const type = parseFilter(search.type, 'type')
  const state = parseFilter(search.state, 'state')
  const created = createdOf(search.createdAt)
  const tag = await related(parseFilter(search.tag, 'tag'), () => taggedAs(reader))
  const segment = await related(parseFilter(search.segment, 'segment'), () => usingSegments(reader))
  const status = await statusOf(reader, search.status)
  const holds = await wordsOf(reader, search.query)
  return (row) =>
    matchesFilter(project, [row.project]) &&
    matchesFilter(type, [row.type]) &&
    matchesFilter(state, [stateOf(row)]) &&
    created(row.created_at) &&
    tag(row.name) &&
    segment(row.name) &&
    status(row.name) &&
    holds(row)
}

/** Matches flags whose name, description or tags contain every word, in any order and case. */
async function wordsOf(reader: Reader, text = ''): Promise<Keep> {
  const words = new Set(
    text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== ''),
  )
  if (words.size === 0) return () => true
  const tags = await taggedAs(reader)
  return (row) => {
    const texts = [row.name, row.description ?? '', ...(tags.get(row.name) ?? [])].map((one) => one.toLowerCase())
    return [...words].every((word) => texts.some((one) => one.includes(word)))
  }
}

/** Loads related data only if a filter needs it. */
async function related(filter: Filter | undefined, load: () => Promise<Map<string, string[]>>) {
  if (filter === undefined) return () => true
  const own = await load()
  return (name: string) => matchesFilter(filter, own.get(name) ?? [])
}

/** Parses `IS_ON_OR_AFTER:2026-01-31` or `IS_BEFORE:…`. */
function createdOf(text: string | undefined): (time: number) => boolean {
  if (text === undefined) return () => true
  const [kind, date = ''] = text.split(/:(.*)/s, 2)
  const time = parseTime(date, 'createdAt')
  if (kind === 'IS_ON_OR_AFTER') return (created) => created >= time
  if (kind === 'IS_BEFORE') return (created) => created < time
  if (kind === 'IS') return (created) => created >= time && created < time + DAY_MS
  throw invalid('"createdAt" must look like IS_ON_OR_AFTER:<date> or IS_BEFORE:<date>', 'query/createdAt')
}

/**
 * Parses `production:enabled` or `production:disabled`. If several conditions are given, a flag must match at least
 * one.
 */
async function statusOf(reader: Reader, status: FeatureSearch['status']) {
  const wanted = status === undefined ? [] : typeof status === 'string' ? [status] : status
  if (wanted.length === 0) return () => true
  const pairs = wanted.map((text) => {
    const [, environment, state] = /^(.+):(enabled|disabled)$/.exec(text) ?? []
    if (environment === undefined) throw invalid('"status" must look like <environment>:enabled', 'query/status')
    return { environment, isOn: state === 'enabled' }
  })
  const states = await enabledIn(reader, [...new Set(pairs.map((pair) => pair.environment))])
  return (name: string) => pairs.some(({ environment, isOn }) => states.get(environment)?.get(name) === isOn)
}

type Order = (a: FeatureRow, b: FeatureRow) => number
const byName: Order = (a, b) => compareNatural(a.name, b.name)
const COLUMNS: ReadonlyMap<string, Order> = new Map<string, Order>([
  ['name', byName],
  ['type', (a, b) => compareText(a.type, b.type)],
  ['project', (a, b) => compareText(a.project, b.project)],
  ['stale', (a, b) => a.stale - b.stale],
  ['createdAt', (a, b) => a.created_at - b.created_at],
  ['archivedAt', (a, b) => (a.archived_at ?? 0) - (b.archived_at ?? 0)],
  ['lastSeenAt', (a, b) => (a.last_seen_at ?? 0) - (b.last_seen_at ?? 0)],
])

async function orderOf(reader: Reader, search: FeatureSearch, favorites: ReadonlySet<string>): Promise<Order> {
  const { sortBy = 'createdAt', sortOrder = 'asc' } = search
  const column = await columnOf(reader, sortBy)
  const sign = sortOrder === 'desc' ? -1 : 1
  const rank = (row: FeatureRow) => Number(search.favoritesFirst === true && favorites.has(row.name))
  return (a, b) => rank(b) - rank(a) || sign * column(a, b) || byName(a, b)
}

/** Returns the order by a column, or by the state in an environment (`environment:production`). */
async function columnOf(reader: Reader, sortBy: string): Promise<Order> {
  const column = COLUMNS.get(sortBy)
  if (column !== undefined) return column
  const environment = /^environment:(.+)$/.exec(sortBy)?.[1]
  if (environment === undefined) throw invalid(`"${sortBy}" is not a sort field`, 'query/sortBy')
  const states = (await enabledIn(reader, [environment])).get(environment)
  return (a, b) => Number(states?.get(a.name) === true) - Number(states?.get(b.name) === true)
}

/** Returns all archived flags or all other flags, in no particular order. */
function searchRows(reader: Reader, archived: boolean): Promise<FeatureRow[]> {
  return reader
    .selectFrom('features')
    .selectAll()
    .where('archived_at', archived ? 'is not' : 'is', null)
    .execute()
}

/** Returns the tags of each flag, as `type:value`. */
async function taggedAs(reader: Reader): Promise<Map<string, string[]>> {
  const rows = await reader.selectFrom('feature_tags').selectAll().execute()
  return grouped(rows.map(({ feature_name, type, value }) => [feature_name, `${type}:${value}`]))
}

/** Returns the segment names of each flag. */
async function usingSegments(reader: Reader): Promise<Map<string, string[]>> {
  const all = await segmentsOfFlags(reader)
  return new Map([...all].map(([flag, segments]) => [flag, segments.map(({ name }) => name)]))
}

/** Returns the segments of flags by flag name, either of all flags or of the given flags. */
async function segmentsOfFlags(
  reader: Reader,
  names?: readonly string[],
): Promise<Map<string, { id: number; name: string }[]>> {
  let query = reader
    .selectFrom('feature_strategy_segments as x')
    .innerJoin('feature_strategies as s', 's.id', 'x.strategy_id')
    .innerJoin('segments as g', 'g.id', 'x.segment_id')
    .select(['s.feature_name', 'g.id', 'g.name'])
    .distinct()
    .orderBy('g.name')
  if (names !== undefined) query = query.where('s.feature_name', 'in', [...names, ''])
  const rows = await query.execute()
  return grouped(rows.map(({ feature_name, id, name }) => [feature_name, { id, name }]))
}

/** Returns the state of flags by environment and name. */
async function enabledIn(reader: Reader, environments: readonly string[]): Promise<Map<string, Map<string, boolean>>> {
  const rows = await reader
    .selectFrom('feature_environments')
    .select(['feature_name', 'environment', 'enabled'])
    .where('environment', 'in', [...environments, ''])
    .execute()
  const found = new Map<string, Map<string, boolean>>()
  for (const { feature_name, environment, enabled } of rows) {
    const states = found.get(environment) ?? new Map<string, boolean>()
    found.set(environment, states.set(feature_name, enabled === 1))
  }
  return found
}

/** Returns the role of each flag in dependencies: parent or child. */
async function dependencyTypes(reader: Reader, names: readonly string[]): Promise<Map<string, 'parent' | 'child'>> {
  const rows = await reader
    .selectFrom('feature_dependencies')
    .select(['parent', 'child'])
    .where(({ or, eb }) => or([eb('child', 'in', [...names, '']), eb('parent', 'in', [...names, ''])]))
    .execute()
  return new Map(rows.flatMap(({ parent, child }) => [[parent, 'parent'] as const, [child, 'child'] as const]))
}

function grouped<T>(pairs: readonly (readonly [string, T])[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const [key, value] of pairs) {
    const list = found.get(key)
    if (list === undefined) found.set(key, [value])
    else list.push(value)
  }
  return found
}

/** Filter of a flag list. */
interface ListCondition {
  /** All projects if omitted. */
  readonly project?: string | undefined
  /** Selects archived flags instead of all others. */
  readonly archived?: boolean | undefined
  /** Only these flags. */
  readonly names?: readonly string[] | undefined
}

/** Loads all data of a flag list, grouped by flag, in four queries regardless of the number of flags. */
async function listRows(reader: Reader, filter: ListCondition) {
  const features = (await filtered(reader, filter).selectAll('f').execute()).sort(byName)
  const environments = await filtered(reader, filter)
    .innerJoin('feature_environments as x', 'x.feature_name', 'f.name')
    .innerJoin('environments as e', 'e.name', 'x.environment')
    .select(['x.feature_name', 'x.environment', 'x.enabled', 'x.variants', 'x.last_seen_at', 'e.type', 'e.sort_order'])
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
  const strategies = await filtered(reader, filter)
    .innerJoin('feature_strategies as s', 's.feature_name', 'f.name')
    .select(['s.id', 's.feature_name', 's.environment', 's.disabled', 's.name', 's.parameters', 's.constraints'])
    .orderBy('s.id')
    .execute()
  const used = await reader.selectFrom('feature_strategy_segments').selectAll().orderBy('segment_id').execute()
  const segmentsOf = Map.groupBy(used, (row) => row.strategy_id)
  const tags = await filtered(reader, filter)
    .innerJoin('feature_tags as t', 't.feature_name', 'f.name')
    .select(['t.feature_name', 't.type', 't.value'])
    .orderBy('t.type')
    .orderBy('t.value')
    .execute()
  return {
    features,
    environments: Map.groupBy(environments, (row) => row.feature_name),
    strategies: Map.groupBy(
      strategies.map((row) => ({
        ...row,
        segments: (segmentsOf.get(row.id) ?? []).map(({ segment_id }) => segment_id),
      })),
      (row) => row.feature_name,
    ),
    tags: Map.groupBy(tags, (row) => row.feature_name),
  }
}

function filtered(reader: Reader, { project, archived = false, names }: ListCondition) {
  let query = reader.selectFrom('features as f').where('f.archived_at', archived ? 'is not' : 'is', null)
  if (names !== undefined) query = query.where('f.name', 'in', [...names, ''])
  return project === undefined ? query : query.where('f.project', '=', project)
}

/** Returns a flag with all details. */
export async function featureView(reader: Reader, row: FeatureRow, userId?: number): Promise<AdminFeature> {
  const environments = await listFeatureEnvironments(reader, row.name)
  const strategies = Map.groupBy(await listStrategies(reader, row.name), (strategy) => strategy.environment)
  const related = await dependenciesOf(reader, row.name)
  const favorites = userId === undefined ? undefined : await readFavoriteFeatures(reader, userId)
  return {
    ...toFeatureState(row, filterDistinctVariants(environments.flatMap((environment) => environment.variants))),
    favorite: favorites?.has(row.name) === true,
    ...(await lifeOf(reader, row)),
    environments: environments.map((environment) => ({
      name: environment.environment,
      lastSeenAt: isoOrNull(environment.last_seen_at),
      enabled: environment.enabled === 1,
      type: environment.type,
      sortOrder: environment.sort_order,
      variantCount: environment.variants.length,
      strategies: (strategies.get(environment.environment) ?? []).map(toAdminStrategy),
      variants: environment.variants as AdminStrategy['variants'],
    })),
    tags: await listTags(reader, row.name),
    ...related,
    links: await reader
      .selectFrom('feature_links')
      .select(['id', 'url', 'title'])
      .where('feature_name', '=', row.name)
      .orderBy('sort_order')
      .execute(),
  }
}

async function lifeOf(reader: Reader, row: FeatureRow): Promise<Pick<AdminFeature, 'createdBy' | 'lifecycle'>> {
  const { created_by: name, created_by_user_id: id } = row
  return {
    createdBy: name === null || id === null ? null : { id, name, imageUrl: getAvatarUrl(name) },
    lifecycle: getCurrentStage(row, await listStageRows(reader, row.name)),
  }
}

async function dependenciesOf(reader: Reader, name: string) {
  const rows = await reader
    .selectFrom('feature_dependencies')
    .selectAll()
    .where(({ or, eb }) => or([eb('child', '=', name), eb('parent', '=', name)]))
    .execute()
  return {
    dependencies: rows
      .filter((row) => row.child === name)
      .map((row) => ({ feature: row.parent, enabled: row.enabled === 1, variants: row.variants })),
    children: rows.filter((row) => row.parent === name).map((row) => row.child),
  }
}

/** Filter of a flag list in the API. */
interface ListFilter extends ListCondition {
  readonly namePrefix?: string | undefined
  readonly tags?: readonly Tag[] | undefined
}

/** Lists flags by name in a constant number of queries. Returns an empty list for an unknown project. */
export async function featureListOf(
  reader: Reader,
  filter: ListFilter,
  favorites: ReadonlySet<string> = new Set(),
): Promise<FeatureListItem[]> {
  const { features, environments, strategies, tags } = await listRows(reader, filter)
  const wanted = (row: FeatureRow) =>
    row.name.startsWith(filter.namePrefix ?? '') && hasAnyTag(tags.get(row.name) ?? [], filter.tags)
  const lives = new Map<string, Awaited<ReturnType<typeof lifeOf>>>()
  for (const row of features) lives.set(row.name, await lifeOf(reader, row))
  return features.filter(wanted).map((row) => ({
    name: row.name,
    type: row.type,
    description: row.description,
    project: row.project,
    stale: row.stale === 1,
    potentiallyStale: row.potentially_stale === 1,
    impressionData: row.impression_data === 1,
    favorite: favorites.has(row.name),
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: isoOrNull(row.last_seen_at),
    archivedAt: isoOrNull(row.archived_at),
    ...(lives.get(row.name) as Awaited<ReturnType<typeof lifeOf>>),
    tags: (tags.get(row.name) ?? []).map(({ value, type }) => ({ value, type })),
    environments: (environments.get(row.name) ?? []).map((environment) => {
      const own = (strategies.get(row.name) ?? []).filter((one) => one.environment === environment.environment)
      return {
        name: environment.environment,
        enabled: environment.enabled === 1,
        type: environment.type,
        sortOrder: environment.sort_order,
        lastSeenAt: isoOrNull(environment.last_seen_at),
        hasStrategies: own.length > 0,
        ...getExposure(own),
        variantCount: environment.variants.length,
      }
    }),
  }))
}

function hasAnyTag(tags: readonly Tag[], wanted: readonly Tag[] | undefined): boolean {
  if (wanted === undefined || wanted.length === 0) return true
  return wanted.some((one) => tags.some((tag) => tag.type === one.type && tag.value === one.value))
}
