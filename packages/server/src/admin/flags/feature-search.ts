import { compareText } from '@burgee/kit/compare-text'
import { invalid } from '@burgee/kit/input/refusals'
import type { FeatureSearch } from '@burgee/protocol/search'
import { isSimilar } from '@burgee/protocol/typing-error'
import { requireStorable } from '@burgee/storage/errors'
import { createMatcher, matchesFilter, parseFilter, parseTime } from '../../core/filters.ts'
import { type CatalogFlag, formatTag } from '../catalog/catalog-flag.ts'
import { BY_NAME, type FlagTable } from '../catalog/flag-table.ts'
import type { FlagOrder } from '../catalog/sorted-flags.ts'
import { getCurrentStage } from '../usage/stage-views.ts'

const DAY_MS = 86_400_000

/** Parsed search. */
export interface ParsedSearch {
  /** Cache key that identifies the conditions and the order. */
  readonly key: string
  readonly isArchived: boolean
  /**
   * Condition on flags that the caller created or marked as favorite: true finds only these flags, false finds all
   * other flags, undefined finds both. The predicate `keeps` does not check this condition.
   */
  readonly isMine: boolean | undefined
  /** Predicate for all other conditions; undefined if there are no other conditions. */
  readonly keeps: FlagPredicate | undefined
  readonly order: SearchOrder
  /** True if the conditions or the order depend on usage data, which changes without events. */
  readonly dependsOnUsage: boolean
  /** True if the conditions depend on usage data. */
  readonly conditionsDependOnUsage: boolean
}

type FlagPredicate = (flag: CatalogFlag, table: FlagTable) => boolean

/** Order of search results. */
export interface SearchOrder {
  /** Cache key that identifies the order, such as 'name asc'. */
  readonly key: string
  /** Compares by the column, then by name. */
  readonly compare: FlagOrder
  /** Compares by the column alone. */
  readonly byColumn: FlagOrder
  /** True if the order depends on usage data, which changes without events. */
  readonly dependsOnUsage: boolean
}

/** Parses the conditions and the order of a search. Throws ValidationError. */
export function parseSearch(search: FeatureSearch): ParsedSearch {
  const isArchived = parseBoolean(search.archived, 'archived') ?? false
  const isMine = parseBoolean(search.mine, 'mine')
  const keeps = [
    parseSingleCondition(search.project, 'project', ({ row }) => row.project),
    parseSingleCondition(search.type, 'type', ({ row }) => row.type),
    parseSingleCondition(search.state, 'state', getState),
    parseCreatedAt(search.createdAt),
    parseSingleCondition(search.createdBy, 'createdBy', ({ row }) => String(row.created_by_user_id)),
    parseSingleCondition(search.lifecycle, 'lifecycle', ({ row, stages }) => getCurrentStage(row, stages).stage),
    parseListCondition(search.tag, 'tag', ({ tags }) => tags.map(formatTag)),
    parseListCondition(search.segment, 'segment', (flag, table) => table.listSegmentNames(flag)),
    parseStatus(search.status),
    parseWords(search.query, search.similar === true),
  ].filter((keep) => keep !== undefined)
  const order = parseOrder(search)
  const conditionsDependOnUsage = search.lifecycle !== undefined
  const dependsOnUsage = order.dependsOnUsage || conditionsDependOnUsage
  const { offset: _offset, limit: _limit, favoritesFirst: _first, mine: _mine, ...conditions } = search
  const key = JSON.stringify(conditions)
  const common = { key, isArchived, isMine, order, dependsOnUsage, conditionsDependOnUsage }
  if (keeps.length === 0) return { ...common, keeps: undefined }
  return { ...common, keeps: (flag, table) => keeps.every((keep) => keep(flag, table)) }
}

/**
 * Returns the flags that a search finds, sorted. Callers must not keep the returned array, because it may belong to the
 * flag table.
 */
export function findFlags(
  table: FlagTable,
  { key, isArchived, keeps, order, conditionsDependOnUsage }: ParsedSearch,
  firstNames: ReadonlySet<string>,
): readonly CatalogFlag[] {
  const [orderKey, compare] = order.dependsOnUsage ? ['name asc', BY_NAME] : [order.key, order.compare]
  const all = table.sorted(isArchived, orderKey, compare)
  const find = () => (keeps === undefined ? all : all.filter((flag) => keeps(flag, table)))
  const some = conditionsDependOnUsage || keeps === undefined ? find() : table.select(key, find)
  // orders that depend on usage are not cached; sorting by the column is enough, because the input is sorted by name
  // and the sort is stable
  const kept = order.dependsOnUsage ? some.toSorted(order.byColumn) : some
  if (firstNames.size === 0) return kept
  const isFirst = ({ name }: CatalogFlag) => firstNames.has(name)
  return [...kept.filter(isFirst), ...kept.filter((flag) => !isFirst(flag))]
}

/** Parses `IS:true` or `IS:false`; undefined if omitted. */
function parseBoolean(text: string | undefined, parameter: string): boolean | undefined {
  const filter = parseFilter(text, parameter)
  if (filter === undefined) return undefined
  if (filter.values.every((value) => value === 'true' || value === 'false')) return matchesFilter(filter, ['true'])
  throw invalid(`"${parameter}" must be IS:true or IS:false`, `query/${parameter}`)
}

function getState({ row: { stale, potentially_stale } }: CatalogFlag): string {
  if (stale === 1) return 'stale'
  return potentially_stale === 1 ? 'potentially-stale' : 'active'
}

function parseSingleCondition(
  text: string | undefined,
  parameter: string,
  ownOf: (flag: CatalogFlag) => string,
): FlagPredicate | undefined {
  const filter = parseFilter(text, parameter)
  if (filter === undefined) return undefined
  const isMet = createMatcher(filter)
  return (flag) => isMet(ownOf(flag))
}

function parseListCondition(
  text: string | undefined,
  parameter: string,
  valuesOf: (flag: CatalogFlag, table: FlagTable) => readonly string[],
): FlagPredicate | undefined {
  const filter = parseFilter(text, parameter)
  return filter && ((flag, table) => matchesFilter(filter, valuesOf(flag, table)))
}

/**
 * Maximum number of words in a query up to which typing errors are tolerated; each word is compared with all flag
 * names.
 */
const MAX_TOLERANT_WORDS = 8

/**
 * Returns a predicate that is true if every word occurs, in any order and case, in the name, the description or a tag.
 * With `isTolerant`, a word also matches if it differs by one typing error from a word of the name.
 */
function parseWords(text = '', isTolerant = false): FlagPredicate | undefined {
  const words = [
    ...new Set(
      text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ]
  if (words.length === 0) return undefined
  if (!isTolerant || words.length > MAX_TOLERANT_WORDS) {
    return (flag) => words.every((word) => flag.words.includes(word))
  }
  // A flag name such as search-suggestions consists of several words.
  const parts = words.flatMap(splitName)
  return (flag) => {
    const names = splitName(flag.name.toLowerCase())
    return parts.every((part) => flag.words.includes(part) || names.some((name) => isSimilar(name, part)))
  }
}

const splitName = (name: string): string[] => name.split(/[\s._-]+/).filter((part) => part !== '')

/** Parses `IS_ON_OR_AFTER:2026-01-31`, `IS_BEFORE:…` or `IS:…` (on that day). */
function parseCreatedAt(text: string | undefined): FlagPredicate | undefined {
  if (text === undefined) return undefined
  const [kind, date = ''] = text.split(/:(.*)/s, 2)
  const time = parseTime(date, 'createdAt')
  if (kind === 'IS_ON_OR_AFTER') return ({ row }) => row.created_at >= time
  if (kind === 'IS_BEFORE') return ({ row }) => row.created_at < time
  if (kind === 'IS') return ({ row }) => row.created_at >= time && row.created_at < time + DAY_MS
  throw invalid('"createdAt" must look like IS_ON_OR_AFTER:<date> or IS_BEFORE:<date>', 'query/createdAt')
}

/**
 * Parses `production:enabled` or `production:disabled`. If several conditions are given, a flag must meet at least one
 * condition.
 */
function parseStatus(status: FeatureSearch['status']): FlagPredicate | undefined {
  const wanted = status === undefined ? [] : typeof status === 'string' ? [status] : status
  if (wanted.length === 0) return undefined
  const pairs = wanted.map((text) => {
    const [, environment, state] = /^(.+):(enabled|disabled)$/.exec(text) ?? []
    if (environment === undefined) throw invalid('"status" must look like <environment>:enabled', 'query/status')
    return { environment, enabled: Number(state === 'enabled') }
  })
  requireStorable(pairs.map(({ environment }) => environment))
  return ({ environments }) =>
    pairs.some(({ environment, enabled }) =>
      environments.some((one) => one.environment === environment && one.enabled === enabled),
    )
}

const COLUMNS: ReadonlyMap<string, FlagOrder> = new Map<string, FlagOrder>([
  ['name', BY_NAME],
  ['type', (a, b) => compareText(a.row.type, b.row.type)],
  ['project', (a, b) => compareText(a.row.project, b.row.project)],
  ['stale', (a, b) => a.row.stale - b.row.stale],
  ['createdAt', (a, b) => a.row.created_at - b.row.created_at],
  ['archivedAt', (a, b) => (a.row.archived_at ?? 0) - (b.row.archived_at ?? 0)],
  ['lastSeenAt', (a, b) => (a.row.last_seen_at ?? 0) - (b.row.last_seen_at ?? 0)],
])

function parseOrder({ sortBy = 'createdAt', sortOrder = 'asc' }: FeatureSearch): SearchOrder {
  const column = COLUMNS.get(sortBy) ?? parseEnvironmentOrder(sortBy)
  const sign = sortOrder === 'desc' ? -1 : 1
  const byColumn: FlagOrder = (a, b) => sign * column(a, b)
  return {
    key: `${sortBy} ${sortOrder}`,
    compare: (a, b) => byColumn(a, b) || BY_NAME(a, b),
    byColumn,
    dependsOnUsage: sortBy === 'lastSeenAt',
  }
}

/**
 * Parses `environment:production`. The order `environment:…` sorts flags by their on/off state in the environment.
 * Throws ValidationError.
 */
function parseEnvironmentOrder(sortBy: string): FlagOrder {
  const environment = /^environment:(.+)$/.exec(sortBy)?.[1]
  if (environment === undefined) throw invalid(`"${sortBy}" is not a sort field`, 'query/sortBy')
  requireStorable([environment])
  const isOn = ({ environments }: CatalogFlag) =>
    Number(environments.some((one) => one.environment === environment && one.enabled === 1))
  return (a, b) => isOn(a) - isOn(b)
}
