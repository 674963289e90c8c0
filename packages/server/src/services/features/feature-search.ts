import { compareText } from '@burgee/kit/compare-text'
import { invalid } from '@burgee/kit/input/refusals'
import type { FeatureSearch } from '@burgee/protocol/search'
import { refuseUnstorable } from '../../store/errors.ts'
import { type CatalogFlag, tagText } from '../catalog/catalog-flag.ts'
import { BY_NAME, type FlagTable } from '../catalog/flag-table.ts'
import type { FlagOrder } from '../catalog/sorted-flags.ts'
import { filterOf, meets, oneMeets, timeOf } from '../filters.ts'
import { stageNow } from '../usage/stage-views.ts'

const DAY_MS = 86_400_000

/** A search, understood. */
export interface Searching {
  /** Names conditions and order. */
  readonly key: string
  readonly isArchived: boolean
  /** Whether flags are wanted that whoever asks has made or likes, or the others; undefined for all. Not one of `keeps`. */
  readonly isMine: boolean | undefined
  /** Undefined keeps all. */
  readonly keeps: Keep | undefined
  readonly order: SearchOrder
  /** Whether conditions or order move with the usage, of which there is no event. */
  readonly isOfUsage: boolean
  /** Whether the conditions do. */
  readonly areConditionsOfUsage: boolean
}

type Keep = (flag: CatalogFlag, table: FlagTable) => boolean

/** How what is found is sorted. */
export interface SearchOrder {
  /** Names the order: 'name asc'. */
  readonly key: string
  /** Flags that are alike in the column come by name. */
  readonly compare: FlagOrder
  /** Of the column alone. */
  readonly byColumn: FlagOrder
  /** Whether it moves with the usage, of which there is no event. */
  readonly isOfUsage: boolean
}

/** Understands the conditions and the order of a search. Throws ValidationError for what is none. */
export function searchingOf(search: FeatureSearch): Searching {
  const isArchived = yesOrNo(search.archived, 'archived') ?? false
  const isMine = yesOrNo(search.mine, 'mine')
  const keeps = [
    ofOne(search.project, 'project', ({ row }) => row.project),
    ofOne(search.type, 'type', ({ row }) => row.type),
    ofOne(search.state, 'state', stateOf),
    createdOf(search.createdAt),
    ofOne(search.createdBy, 'createdBy', ({ row }) => String(row.created_by_user_id)),
    ofOne(search.lifecycle, 'lifecycle', ({ row, stages }) => stageNow(row, stages).stage),
    ofSeveral(search.tag, 'tag', ({ tags }) => tags.map(tagText)),
    ofSeveral(search.segment, 'segment', (flag, table) => table.segmentsOf(flag)),
    statusOf(search.status),
    wordsOf(search.query),
  ].filter((keep) => keep !== undefined)
  const order = orderOf(search)
  const areConditionsOfUsage = search.lifecycle !== undefined
  const isOfUsage = order.isOfUsage || areConditionsOfUsage
  const { offset: _offset, limit: _limit, favoritesFirst: _first, mine: _mine, ...conditions } = search
  const key = JSON.stringify(conditions)
  const common = { key, isArchived, isMine, order, isOfUsage, areConditionsOfUsage }
  if (keeps.length === 0) return { ...common, keeps: undefined }
  return { ...common, keeps: (flag, table) => keeps.every((keep) => keep(flag, table)) }
}

/** The flags that a search finds, sorted. What is given back is not to be kept. */
export function found(
  table: FlagTable,
  { key, isArchived, keeps, order, areConditionsOfUsage }: Searching,
  firstNames: ReadonlySet<string>,
): readonly CatalogFlag[] {
  const [orderKey, compare] = order.isOfUsage ? ['name asc', BY_NAME] : [order.key, order.compare]
  const all = table.sorted(isArchived, orderKey, compare)
  const find = () => (keeps === undefined ? all : all.filter((flag) => keeps(flag, table)))
  const some = areConditionsOfUsage || keeps === undefined ? find() : table.some(key, find)
  // what moves with the usage is sorted for each search: by name already, which sorting keeps among equals
  const kept = order.isOfUsage ? some.toSorted(order.byColumn) : some
  if (firstNames.size === 0) return kept
  const isFirst = ({ name }: CatalogFlag) => firstNames.has(name)
  return [...kept.filter(isFirst), ...kept.filter((flag) => !isFirst(flag))]
}

/** `IS:true` or `IS:false`; undefined where nothing is said. */
function yesOrNo(text: string | undefined, parameter: string): boolean | undefined {
  const filter = filterOf(text, parameter)
  if (filter === undefined) return undefined
  if (filter.values.every((value) => value === 'true' || value === 'false')) return meets(filter, ['true'])
  throw invalid(`"${parameter}" must be IS:true or IS:false`, `query/${parameter}`)
}

function stateOf({ row: { stale, potentially_stale } }: CatalogFlag): string {
  if (stale === 1) return 'stale'
  return potentially_stale === 1 ? 'potentially-stale' : 'active'
}

function ofOne(text: string | undefined, parameter: string, ownOf: (flag: CatalogFlag) => string): Keep | undefined {
  const filter = filterOf(text, parameter)
  if (filter === undefined) return undefined
  const isMet = oneMeets(filter)
  return (flag) => isMet(ownOf(flag))
}

function ofSeveral(
  text: string | undefined,
  parameter: string,
  valuesOf: (flag: CatalogFlag, table: FlagTable) => readonly string[],
): Keep | undefined {
  const filter = filterOf(text, parameter)
  return filter && ((flag, table) => meets(filter, valuesOf(flag, table)))
}

/** Whether every word, whatever its case, is in the name, the description or a tag; the words in any order. */
function wordsOf(text = ''): Keep | undefined {
  const words = [
    ...new Set(
      text
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ]
  return words.length === 0 ? undefined : (flag) => words.every((word) => flag.words.includes(word))
}

/** `IS_ON_OR_AFTER:2026-01-31` or `IS_BEFORE:…`. */
function createdOf(text: string | undefined): Keep | undefined {
  if (text === undefined) return undefined
  const [kind, date = ''] = text.split(/:(.*)/s, 2)
  const time = timeOf(date, 'createdAt')
  if (kind === 'IS_ON_OR_AFTER') return ({ row }) => row.created_at >= time
  if (kind === 'IS_BEFORE') return ({ row }) => row.created_at < time
  if (kind === 'IS') return ({ row }) => row.created_at >= time && row.created_at < time + DAY_MS
  throw invalid('"createdAt" must look like IS_ON_OR_AFTER:<date> or IS_BEFORE:<date>', 'query/createdAt')
}

/** `production:enabled` or `production:disabled`, any of several. */
function statusOf(status: FeatureSearch['status']): Keep | undefined {
  const wanted = status === undefined ? [] : typeof status === 'string' ? [status] : status
  if (wanted.length === 0) return undefined
  const pairs = wanted.map((text) => {
    const [, environment, state] = /^(.+):(enabled|disabled)$/.exec(text) ?? []
    if (environment === undefined) throw invalid('"status" must look like <environment>:enabled', 'query/status')
    return { environment, enabled: Number(state === 'enabled') }
  })
  refuseUnstorable(pairs.map(({ environment }) => environment))
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

function orderOf({ sortBy = 'createdAt', sortOrder = 'asc' }: FeatureSearch): SearchOrder {
  const column = COLUMNS.get(sortBy) ?? switchedOn(sortBy)
  const sign = sortOrder === 'desc' ? -1 : 1
  const byColumn: FlagOrder = (a, b) => sign * column(a, b)
  return {
    key: `${sortBy} ${sortOrder}`,
    compare: (a, b) => byColumn(a, b) || BY_NAME(a, b),
    byColumn,
    isOfUsage: sortBy === 'lastSeenAt',
  }
}

/** `environment:production`: whether flags are on there. Throws ValidationError. */
function switchedOn(sortBy: string): FlagOrder {
  const environment = /^environment:(.+)$/.exec(sortBy)?.[1]
  if (environment === undefined) throw invalid(`"${sortBy}" is nothing to sort by`, 'query/sortBy')
  refuseUnstorable([environment])
  const isOn = ({ environments }: CatalogFlag) =>
    Number(environments.some((one) => one.environment === environment && one.enabled === 1))
  return (a, b) => isOn(a) - isOn(b)
}
