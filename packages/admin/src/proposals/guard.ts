import { useQuery, useQueryClient } from '@tanstack/react-query'
import { guards } from '../api/change-requests.ts'

const RARELY_MS = 30_000

/** Which environments of a project take changes by change request only. */
export const guardsQuery = (project: string) => ({
  queryKey: ['guards', project],
  queryFn: () => guards(project),
  staleTime: RARELY_MS,
})

type Guards = Awaited<ReturnType<typeof guards>>

const isAmong = (all: Guards, environment: string): boolean =>
  all.some((one) => one.environment === environment && one.changeRequestEnabled)

/**
 * Whether environments of a project take changes by change request only: `isGuarded` as far as it is known, for what is
 * shown; `check` for what is done, which asks where it is not known yet and rejects where it cannot be.
 */
export function useGuard(project: string, enabled = true) {
  const queries = useQueryClient()
  const { data = [] } = useQuery({ ...guardsQuery(project), enabled })
  return {
    isGuarded: (environment: string): boolean => isAmong(data, environment),
    check: async (environment: string): Promise<boolean> =>
      isAmong(await queries.fetchQuery(guardsQuery(project)), environment),
    hasGuards: data.some((one) => one.changeRequestEnabled),
  }
}

/** Whether a place takes changes by change request only; asks where it is not known yet. */
export function useGuardCheck(): (place: { project: string; environment: string }) => Promise<boolean> {
  const queries = useQueryClient()
  return async ({ project, environment }) => isAmong(await queries.fetchQuery(guardsQuery(project)), environment)
}
