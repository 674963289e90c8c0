import type { DisplayNames } from '@burgee/protocol/project-access'
import { useQueries, useQuery } from '@tanstack/react-query'
import { call } from '../api/http.ts'
import { createBatchLoader } from './batch-loader.ts'

/** Author of an object in the form that the API uses: an account id, and the login name at that time. */
export interface Author {
  /** Account id. Ids below 1 stand for the server itself or an API token. */
  readonly id: number
  readonly username: string
}

const STALE_MS = 300_000
/** Maximum number of ids that the server accepts in one request. */
const MAX_IDS = 200

const loadName = createBatchLoader(fetchNames, MAX_IDS)

async function fetchNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { people } = await call<DisplayNames>('GET', `/api/admin/people?ids=${ids.join(',')}`)
  return new Map(people.map(({ id, name }) => [id, name]))
}

const getNameQuery = (id: number) => ({
  queryKey: ['people', 'name', id],
  queryFn: async () => (await loadName(id)) ?? null,
  staleTime: STALE_MS,
  enabled: id > 0,
  retry: false,
})

/**
 * Returns the display name of an author or, if unknown, the login name. `isPending` is true until the name is known.
 */
export function usePersonName({ id, username }: Author): { readonly name: string; readonly isPending: boolean } {
  const { data, isLoading } = useQuery(getNameQuery(id))
  return { name: data ?? username, isPending: isLoading }
}

/** Returns a function that looks up the names of the given authors, for use in sentences. */
export function usePersonNames(authors: readonly Author[]): (author: Author) => string {
  const ids = [...new Set(authors.map(({ id }) => id))]
  const answers = useQueries({ queries: ids.map(getNameQuery) })
  const names = new Map(ids.map((id, index) => [id, answers[index]?.data]))
  return ({ id, username }) => names.get(id) ?? username
}
