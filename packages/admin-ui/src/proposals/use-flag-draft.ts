import type { ProposedChange } from '@burgee/protocol/administration/change-request'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type EnvironmentRef, fetchMyOpenRequests } from '../api/change-requests.ts'
import type { FlagEnvironment } from '../api/flags.ts'
import { listDraftedFlags } from './drafted-flags.ts'
import { useGuards } from './guard.ts'

/** Changes that the user's draft for an environment makes to a flag. */
export interface FlagDraft {
  /** Id of the draft. */
  readonly id: number
  readonly changes: readonly ProposedChange[]
  /** On/off state that the draft sets; undefined if the draft does not switch the flag. */
  readonly enabled: boolean | undefined
}

/** Returns the query for the user's open change requests in a project. */
export const getUserRequestsQuery = (project: string) => ({
  queryKey: ['change-requests', project, 'own'],
  queryFn: () => fetchMyOpenRequests(project),
})

/** Fetches the names of the flags that the user's draft for an environment changes. */
export async function fetchDraftedFlags(
  queries: QueryClient,
  { project, environment }: EnvironmentRef,
): Promise<ReadonlySet<string>> {
  const requests = await queries.fetchQuery({ ...getUserRequestsQuery(project), staleTime: 0 })
  return listDraftedFlags(requests, environment)
}

/**
 * Returns the names of the flags that the user's draft changes; empty if the environment requires no change requests.
 */
export function useDraftedFlags({ project, environment }: EnvironmentRef): ReadonlySet<string> {
  const isUsed = useGuards(project).isGuarded(environment)
  const { data } = useQuery({ ...getUserRequestsQuery(project), enabled: isUsed })
  return useMemo(() => listDraftedFlags(isUsed ? (data ?? []) : [], environment), [isUsed, data, environment])
}

/** Returns the changes that the user's draft makes to a flag; undefined if there are none. */
export function useFlagDraft({ project, feature, environment }: FlagEnvironment): FlagDraft | undefined {
  const { isGuarded } = useGuards(project)
  const { data = [] } = useQuery({ ...getUserRequestsQuery(project), enabled: isGuarded(environment) })
  const draft = data.find((one) => one.state === 'Draft' && one.environment === environment)
  const changes = draft?.features.find(({ name }) => name === feature)?.changes ?? []
  if (draft === undefined || changes.length === 0) return undefined
  const last = changes.findLast(({ action }) => action === 'updateEnabled')
  const enabled = last === undefined ? undefined : (last.payload as { readonly enabled: boolean }).enabled
  return { id: draft.id, changes, enabled }
}
