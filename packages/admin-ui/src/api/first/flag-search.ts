import { buildQueryString } from '../http.ts'

/** Filters and order of a flag list. */
export interface FlagQuery {
  readonly project: string
  readonly text?: string | undefined
  readonly type?: string | undefined
  readonly tag?: string | undefined
  readonly state?: string | undefined
  /** Lifecycle stage of the flags. */
  readonly stage?: string | undefined
  /**
   * Environments in which the flags must be on, or those in which they must be off. If both filters are set, it is
   * enough that a flag matches one of them.
   */
  readonly on?: string | undefined
  readonly off?: string | undefined
  /** Id of the user who created the flags. */
  readonly createdBy?: string | undefined
  /** True to list only flags that the user created or marked as a favorite. */
  readonly isMine?: boolean | undefined
  /** True to list archived flags instead of active flags. */
  readonly isArchived?: boolean
  /** True to list the user's favorites first. */
  readonly favoritesFirst?: boolean
  readonly sort: FlagSort
  readonly order: 'asc' | 'desc'
}

/** Sort orders of the list. `environment:production` sorts by the on/off state of flags in production. */
export type FlagSort = 'name' | 'type' | 'createdAt' | 'lastSeenAt' | `environment:${string}`

/** Number of rows per list request. */
export const PAGE_ROWS = 100

/** Returns the API path for searching flags and returning rows `offset` to `offset + limit`. */
export function buildFlagSearchPath(query: FlagQuery, offset: number, limit: number): string {
  const parameters = buildQueryString({
    query: query.text,
    project: `IS:${query.project}`,
    type: query.type === undefined ? undefined : `IS:${query.type}`,
    tag: query.tag === undefined ? undefined : `INCLUDE:${query.tag}`,
    state: query.state === undefined ? undefined : `IS:${query.state}`,
    lifecycle: query.stage === undefined ? undefined : `IS:${query.stage}`,
    status: [
      ...(query.on === undefined ? [] : [`${query.on}:enabled`]),
      ...(query.off === undefined ? [] : [`${query.off}:disabled`]),
    ],
    createdBy: query.createdBy === undefined ? undefined : `IS:${query.createdBy}`,
    mine: query.isMine ? 'IS:true' : undefined,
    archived: query.isArchived ? 'IS:true' : undefined,
    favoritesFirst: query.favoritesFirst ? 'true' : undefined,
    sortBy: query.sort,
    sortOrder: query.order,
    offset,
    limit,
  })
  return `/api/admin/search/features${parameters}`
}
