import type { Content } from '@burgee/kit/http/content'
import type { AdminFeature, FeatureListItem } from '@burgee/protocol/admin-feature'
import type { ManagedBy } from '@burgee/protocol/administration/managed-by'
import type { Tag } from '@burgee/protocol/event'
import { listParentAbilities } from '@burgee/protocol/sdk/sdk-abilities'
import type { SdkGap } from '@burgee/protocol/sdk/sdk-gap'
import type { FeatureSearch } from '@burgee/protocol/search'
import { requireStorable } from '@burgee/storage/errors'
import type { ProjectViewer } from '@burgee/storage/queries/projects/project-counts'
import { startOfHour } from '@burgee/storage/queries/usage/usage-reads'
import type { FlagOrigins } from '../../core/managed-objects.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import type { Favorites } from '../catalog/favorites.ts'
import { BY_NAME, type FlagTable } from '../catalog/flag-table.ts'
import type { PageCache } from '../catalog/page-cache.ts'
import type { FlagToCheck, SdkGaps } from '../usage/sdk-gaps.ts'
import { createFlagNotFound, type FeatureRef, requireNotArchived } from './feature-ref.ts'
import { findFlags, type ParsedSearch, parseSearch } from './feature-search.ts'
import { toAdminFeature } from './feature-views.ts'

/** Filter for a flag list. */
export interface ListFilter {
  /** Project id; all projects if omitted. */
  readonly project?: string | undefined
  /** True for archived flags only; otherwise only flags that are not archived. */
  readonly archived?: boolean | undefined
  readonly namePrefix?: string | undefined
  /**
   * Tags to filter by: flags with at least one of the tags are included. If empty, flags are included regardless of
   * their tags.
   */
  readonly tags?: readonly Tag[] | undefined
  /** Projects to exclude. */
  readonly hidden?: readonly string[] | undefined
}

/** Flag pages of the admin API, as reply bodies. All methods reject on database errors. */
export interface FlagPages {
  /** Returns a page of search results as a `FoundFeatures`. Rejects with ValidationError. */
  search(search: FeatureSearch, view: ProjectViewer): Promise<Content>
  /** Returns the flags as a `FeatureList`, sorted by name. The list is empty for an unknown project. */
  list(filter: ListFilter, userId?: number): Promise<Content>
  /** Returns the same flags as `list`, as objects instead of JSON. */
  entries(filter: ListFilter, userId?: number): Promise<FeatureListItem[]>
  /**
   * Returns an `AdminFeature`, including the applications whose SDKs do not support everything that the flag uses.
   * Returns an archived flag only if `archived` is true. Rejects with NotFoundError.
   */
  one(ref: FeatureRef, reader: FlagReader): Promise<Content>
}

/** Caller who reads a flag. `archived` is true if archived flags are returned as well. */
export interface FlagReader {
  readonly userId: number | undefined
  readonly archived: boolean
  /** Projects whose applications are hidden from the reader. */
  readonly hidden?: readonly string[] | undefined
}

const DEFAULT_LIMIT = 50

/** Data sources of the pages. */
export interface PageSources {
  readonly catalog: Catalog
  readonly favorites: Favorites
  readonly flagOrigins: FlagOrigins
  readonly pageCache: PageCache
  readonly sdkGaps: SdkGaps
}

/** Data sources in a consistent state, for one user. */
interface PageState {
  readonly table: FlagTable
  readonly favorites: ReadonlySet<string>
  /** Identifier of the data version from which all pages are built. */
  readonly state: string
  readonly userId: number | undefined
}

/**
 * Creates pages from in-memory data. If the data has not changed, the cached page is sent again. The ETag of a cached
 * page is known in advance, so a 304 response costs only a lookup.
 */
export function createFlagPages(sources: PageSources): FlagPages {
  const momentOf = (userId: number | undefined) => readPageState(sources, userId)
  const page = createPageBuilder(sources)
  const { catalog, sdkGaps, flagOrigins } = sources
  return {
    async search(search, { now, userId, hidden = [] }) {
      const searching = parseSearch(search)
      const sinceMs = startOfHour(now, 1)
      const moment = await momentOf(userId)
      // the condition `mine` also finds flags that the user created, so the result depends on the user even without
      // favorites
      const whose = searching.isMine === undefined ? null : (userId ?? null)
      return page(moment, ['search', search, sinceMs, hidden, whose], () =>
        searchFlags(catalog, moment, { search, searching, sinceMs, hidden }),
      )
    },
    async list(filter, userId) {
      requireStorable([filter.project])
      const moment = await momentOf(userId)
      return page(moment, ['list', filter], async () =>
        buildBody('{"version":2,"features":[', await listEntries(catalog, moment, filter), ']}'),
      )
    },
    async entries(filter, userId) {
      return [...(await listEntries(catalog, await momentOf(userId), filter))].map((json) => JSON.parse(json))
    },
    async one(ref, { userId, archived, hidden }) {
      requireStorable([ref.project, ref.feature])
      const moment = await momentOf(userId)
      const flag = moment.table.find(ref.feature)
      if (flag === undefined || flag.row.project !== ref.project) throw createFlagNotFound(ref)
      if (!archived) requireNotArchived(flag.row)
      const gaps = await sdkGaps.find(toFlagToCheck(flag), hidden)
      const extra = toExtra(gaps, await flagOrigins.find(ref))
      return page(moment, ['flag', ref.feature, extra], () => buildFlagPage(catalog, moment, flag, extra))
    },
  }
}

async function readPageState({ catalog, favorites }: PageSources, userId: number | undefined): Promise<PageState> {
  const { version } = favorites
  const liked = await favorites.readNames(userId)
  const { table, state } = await catalog.flags()
  return { table, favorites: liked, state: `${state} ${version}`, userId }
}

/** Returns a function that returns the cached reply to a request, and builds the reply if it is not cached. */
function createPageBuilder({ catalog, favorites, pageCache }: PageSources) {
  const stateNow = () => `${catalog.state()} ${favorites.version}`
  return async (
    { state, favorites: liked, userId }: PageState,
    what: readonly unknown[],
    make: () => Promise<Iterable<string>>,
  ) => {
    // all users without favorites share the same pages
    const owner = liked.size === 0 ? null : (userId ?? null)
    const question = JSON.stringify([owner, ...what])
    return pageCache.find(question, state) ?? pageCache.build(question, state, stateNow, make)
  }
}

interface SearchRequest {
  readonly search: FeatureSearch
  readonly searching: ParsedSearch
  readonly sinceMs: number
  readonly hidden: readonly string[]
}

async function searchFlags(
  catalog: Catalog,
  { table, favorites: liked, userId }: PageState,
  { search, searching, sinceMs, hidden }: SearchRequest,
): Promise<Iterable<string>> {
  const isOwn = ({ name, row }: CatalogFlag) =>
    userId !== undefined && (row.created_by_user_id === userId || liked.has(name))
  if (searching.dependsOnUsage) await catalog.refreshUsage([...table.sorted(searching.isArchived, 'name asc', BY_NAME)])
  const kept = findFlags(table, searching, search.favoritesFirst === true ? liked : new Set())
  const visible = hidden.length === 0 ? kept : kept.filter(({ row }) => !hidden.includes(row.project))
  const all = searching.isMine === undefined ? visible : visible.filter((flag) => isOwn(flag) === searching.isMine)
  const [total, { offset = 0, limit = DEFAULT_LIMIT }] = [all.length, search]
  const page = all.slice(offset, offset + limit)
  await catalog.refreshUsage(page, sinceMs)
  const items = page.map((flag) => flag.formatSearchEntry(liked.has(flag.name), formatRelations(table, flag)))
  return buildBody('{"features":[', items, `],"total":${total}}`)
}

async function listEntries(
  catalog: Catalog,
  { table, favorites: liked }: PageState,
  filter: ListFilter,
): Promise<Iterable<string>> {
  const all = table.sorted(filter.archived === true, 'name asc', BY_NAME).filter(createListFilter(filter))
  await catalog.refreshUsage(all)
  return formatEntries(all, liked)
}

function toFlagToCheck(flag: CatalogFlag): FlagToCheck {
  return {
    name: flag.name,
    parentAbilities: listParentAbilities(flag.parents),
    strategiesIn: (environment) => flag.strategiesIn(environment),
  }
}

async function buildFlagPage(
  catalog: Catalog,
  { table, favorites: liked }: PageState,
  flag: CatalogFlag,
  extra: FlagExtra,
): Promise<Iterable<string>> {
  await catalog.refreshUsage([flag])
  const strategiesIn = (environment: string) => flag.strategiesIn(environment)
  const { name, row, stages, environments, tags, parents, links } = flag
  const parts = { row, stages, environments, tags, parents, links, children: table.listChildren(name), strategiesIn }
  const view = toAdminFeature(parts, liked.has(name))
  return [JSON.stringify({ ...view, ...extra })]
}

/** Parts of a flag that only pages contain. */
type FlagExtra = Pick<AdminFeature, 'sdkGaps' | 'managedBy'>

function toExtra(sdkGaps: SdkGap[], managedBy: ManagedBy | undefined): FlagExtra {
  return { ...(sdkGaps.length > 0 && { sdkGaps }), ...(managedBy !== undefined && { managedBy }) }
}

function* formatEntries(flags: readonly CatalogFlag[], liked: ReadonlySet<string>): Generator<string> {
  for (const flag of flags) yield flag.formatListEntry(liked.has(flag.name))
}

function* buildBody(head: string, items: Iterable<string>, tail: string): Generator<string> {
  yield head
  let between = ''
  for (const item of items) {
    yield `${between}${item}`
    between = ','
  }
  yield tail
}

/** Returns JSON for the flag's role in dependencies and the segments that it uses. */
function formatRelations(table: FlagTable, flag: CatalogFlag): string {
  const dependencyType = flag.parents.length > 0 ? '"child"' : table.isParent(flag.name) ? '"parent"' : 'null'
  return `,"dependencyType":${dependencyType},${table.formatSegments(flag)}`
}

function createListFilter({
  project,
  namePrefix = '',
  tags = [],
  hidden = [],
}: ListFilter): (flag: CatalogFlag) => boolean {
  return (flag) =>
    (project === undefined || flag.row.project === project) &&
    !hidden.includes(flag.row.project) &&
    flag.name.startsWith(namePrefix) &&
    (tags.length === 0 || tags.some((one) => flag.tags.some((tag) => tag.type === one.type && tag.value === one.value)))
}
