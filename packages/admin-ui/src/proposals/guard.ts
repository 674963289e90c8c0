import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchGuards } from '../api/change-requests.ts'

const GUARDS_STALE_MS = 30_000

/** Returns the query for the change-request settings of a project. */
export const getGuardsQuery = (project: string) => ({
  queryKey: ['guards', project],
  queryFn: () => fetchGuards(project),
  staleTime: GUARDS_STALE_MS,
})

type Guards = Awaited<ReturnType<typeof fetchGuards>>

const isGuardedIn = (all: Guards, environment: string): boolean =>
  all.some((one) => one.environment === environment && one.changeRequestEnabled)

/**
 * Returns the last environment that requires change requests: a change that affects all environments is added to the
 * draft for this environment.
 */
export const findDraftEnvironment = (all: Guards): string | undefined =>
  all.findLast(({ changeRequestEnabled }) => changeRequestEnabled)?.environment

/**
 * Returns two functions that check whether environments of a project require change requests. `isGuarded` uses the
 * loaded settings and is for display only. `check` is for use before changes: it fetches the settings if necessary, and
 * rejects if that fails.
 */
export function useGuards(project: string, enabled = true) {
  const queries = useQueryClient()
  const { data = [] } = useQuery({ ...getGuardsQuery(project), enabled })
  return {
    isGuarded: (environment: string): boolean => isGuardedIn(data, environment),
    check: async (environment: string): Promise<boolean> =>
      isGuardedIn(await queries.fetchQuery(getGuardsQuery(project)), environment),
    hasGuards: data.some((one) => one.changeRequestEnabled),
    /** Environment to whose draft a change that affects all environments is added. */
    draftEnvironment: findDraftEnvironment(data),
  }
}

/**
 * Returns a function that checks whether an environment requires change requests. Fetches the settings if necessary.
 */
export function useGuardCheck(): (place: { project: string; environment: string }) => Promise<boolean> {
  const queries = useQueryClient()
  return async ({ project, environment }) => isGuardedIn(await queries.fetchQuery(getGuardsQuery(project)), environment)
}
