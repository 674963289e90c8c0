import { queryOf } from '../http.ts'

/** What a list of flags is narrowed to, and how it is ordered. */
export interface FlagQuery {
  readonly project: string
  readonly text?: string | undefined
  readonly type?: string | undefined
  readonly tag?: string | undefined
  readonly state?: string | undefined
  /** The stage of their life. */
  readonly stage?: string | undefined
  /** An environment in which they are on, and one in which they are off; both means either. */
  readonly on?: string | undefined
  readonly off?: string | undefined
  /** Those that the person made or likes. */
  readonly isMine?: boolean | undefined
  /** Those that are out of use, in place of the others. */
  readonly isArchived?: boolean
  /** Those that the person likes before the others. */
  readonly favoritesFirst?: boolean
  readonly sort: FlagSort
  readonly order: 'asc' | 'desc'
}

/** Orders that the list offers; `environment:production` is by whether they are on there. */
export type FlagSort = 'name' | 'type' | 'createdAt' | 'lastSeenAt' | `environment:${string}`

/** Rows of one request for the list. */
export const PAGE_ROWS = 100

/** Where rows `offset` to `offset + limit` of a list are, which the server searches. */
export function flagSearchPath(query: FlagQuery, offset: number, limit: number): string {
  const parameters = queryOf({
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
