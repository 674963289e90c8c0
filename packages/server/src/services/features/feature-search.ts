import { compareText } from '@burgee/kit/compare-text'
import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import type { FeatureSearch, FoundFeature } from '@burgee/protocol/search'
import { favoriteFeatures } from '../../store/access/people.ts'
import type { Reader } from '../../store/database.ts'
import {
  countsSince,
  dependencyTypes,
  enabledIn,
  searchRows,
  taggedAs,
  usingSegments,
} from '../../store/features/feature-search.ts'
import type { FeatureRow } from '../../store/features/features.ts'
import type { Viewpoint } from '../../store/projects/project-counts.ts'
import { startOfHour } from '../../store/usage/usage-reads.ts'
import { type Filter, filterOf, meets, timeOf } from '../filters.ts'
import { invalid } from '../refusals.ts'
import { featureListOf } from './feature-views.ts'

const DEFAULT_LIMIT = 50
const DAY_MS = 86_400_000

/**
 * Flags that the conditions keep, sorted and cut to a page, and how many there are; a constant number of queries.
 * Throws ValidationError for what is not a condition.
 */
export async function searchFeatures(
  reader: Reader,
  search: FeatureSearch,
  { userId, now }: Viewpoint,
): Promise<{ features: FoundFeature[]; total: number }> {
  const { limit = DEFAULT_LIMIT, offset = 0 } = search
  const archived = archivedOf(search.archived)
  const keep = await conditionsOf(reader, search)
  const favorites = userId === undefined ? new Set<string>() : await favoriteFeatures(reader, userId)
  const order = await orderOf(reader, search, favorites)
  const found = (await searchRows(reader, archived)).filter(keep).sort(order)
  const page = found.slice(offset, offset + limit).map((row) => row.name)
  const views = new Map(
    (await featureListOf(reader, { archived, names: page }, favorites)).map((view) => [view.name, view]),
  )
  const features = page.map((name) => views.get(name)).filter((view) => view !== undefined)
  return { features: await withContext(reader, features, now), total: found.length }
}

/** What a page of flags belongs together with, and how often they were asked for in this hour and the last. */
async function withContext(reader: Reader, views: readonly FeatureListItem[], now: number): Promise<FoundFeature[]> {
  const names = views.map((view) => view.name)
  const types = await dependencyTypes(reader, names)
  const segments = await usingSegments(reader, names)
  const counts = await countsSince(reader, names, startOfHour(now, 1))
  return views.map((view) => ({
    ...view,
    dependencyType: types.get(view.name) ?? null,
    segments: segments.get(view.name) ?? [],
    environments: view.environments.map((environment) => ({
      ...environment,
      ...(counts.get(view.name)?.get(environment.name) ?? { yes: 0, no: 0 }),
    })),
  }))
}

/** `IS:true` or `IS:false`; live flags where nothing is said. */
function archivedOf(text: string | undefined): boolean {
  const filter = filterOf(text, 'archived')
  if (filter === undefined) return false
  if (filter.values.every((value) => value === 'true' || value === 'false')) return meets(filter, ['true'])
  throw invalid('"archived" must be IS:true or IS:false', 'query/archived')
}

type Keep = (row: FeatureRow) => boolean

function stateOf({ stale, potentially_stale }: FeatureRow): string {
  if (stale === 1) return 'stale'
  return potentially_stale === 1 ? 'potentially-stale' : 'active'
}

async function conditionsOf(reader: Reader, search: FeatureSearch): Promise<Keep> {
  const project = filterOf(search.project, 'project')
  const type = filterOf(search.type, 'type')
  const state = filterOf(search.state, 'state')
  const created = createdOf(search.createdAt)
  const tag = await related(filterOf(search.tag, 'tag'), () => taggedAs(reader))
  const segment = await related(filterOf(search.segment, 'segment'), () => usingSegments(reader))
  const status = await statusOf(reader, search.status)
  const holds = await wordsOf(reader, search.query)
  return (row) =>
    meets(project, [row.project]) &&
    meets(type, [row.type]) &&
    meets(state, [stateOf(row)]) &&
    created(row.created_at) &&
    tag(row.name) &&
    segment(row.name) &&
    status(row.name) &&
    holds(row)
}

/** Whether every word, whatever its case, is in the name, the description or a tag; the words in any order. */
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

/** What belongs to flags is only looked up where it is asked for. */
async function related(filter: Filter | undefined, load: () => Promise<Map<string, string[]>>) {
  if (filter === undefined) return () => true
  const own = await load()
  return (name: string) => meets(filter, own.get(name) ?? [])
}

/** `IS_ON_OR_AFTER:2026-01-31` or `IS_BEFORE:…`. */
function createdOf(text: string | undefined): (time: number) => boolean {
  if (text === undefined) return () => true
  const [kind, date = ''] = text.split(/:(.*)/s, 2)
  const time = timeOf(date, 'createdAt')
  if (kind === 'IS_ON_OR_AFTER') return (created) => created >= time
  if (kind === 'IS_BEFORE') return (created) => created < time
  if (kind === 'IS') return (created) => created >= time && created < time + DAY_MS
  throw invalid('"createdAt" must look like IS_ON_OR_AFTER:<date> or IS_BEFORE:<date>', 'query/createdAt')
}

/** `production:enabled` or `production:disabled`, any of several. */
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
const byName: Order = (a, b) => compareText(a.name, b.name)
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

/** A column, or `environment:production` for whether flags are on there. */
async function columnOf(reader: Reader, sortBy: string): Promise<Order> {
  const column = COLUMNS.get(sortBy)
  if (column !== undefined) return column
  const environment = /^environment:(.+)$/.exec(sortBy)?.[1]
  if (environment === undefined) throw invalid(`"${sortBy}" is nothing to sort by`, 'query/sortBy')
  const states = (await enabledIn(reader, [environment])).get(environment)
  return (a, b) => Number(states?.get(a.name) === true) - Number(states?.get(b.name) === true)
}
