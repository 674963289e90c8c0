import type { FlagQuery, FlagSort } from '../api/flags.ts'

/** What the address of the list of flags says. */
export interface FlagSearch {
  readonly q?: string
  readonly type?: string
  readonly state?: string
  readonly tag?: string
  readonly sort?: FlagSort
  readonly order?: 'asc' | 'desc'
  readonly create?: boolean
}

const SORTS: readonly FlagSort[] = ['name', 'type', 'createdAt', 'lastSeenAt']

/** Reads the address; what is not understood is left out. */
export function readFlagSearch(given: Record<string, unknown>): FlagSearch {
  const text = (name: string) => (typeof given[name] === 'string' && given[name] !== '' ? { [name]: given[name] } : {})
  const sort = SORTS.find((one) => one === given.sort)
  return {
    ...text('q'),
    ...text('type'),
    ...text('state'),
    ...text('tag'),
    ...(sort === undefined ? {} : { sort }),
    ...(given.order === 'desc' ? { order: 'desc' as const } : {}),
    ...(given.create === true ? { create: true } : {}),
  }
}

/** The address as a question to the server. */
export function queryOfSearch(project: string, search: FlagSearch): FlagQuery {
  const { q: text, type, state, tag, sort = 'name', order = 'asc' } = search
  return { project, text, type, state, tag, sort, order }
}
