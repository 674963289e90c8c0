import type { StrategyUse } from '@burgee/protocol/targeting/context-field'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { EnvironmentRef } from '../api/change-requests.ts'
import { getUsagesQuery } from '../api/queries.ts'
import { findDraftEnvironment, getGuardsQuery } from '../proposals/guard.ts'

/**
 * If strategies use a segment in environments that require change requests, returns the environment to whose draft an
 * edit of the segment is added. `place` is for display only; `find` fetches the necessary data, and rejects if that
 * fails. If the strategies that use the segment belong to several projects, returns no environment, because a change
 * request covers only one project.
 */
export function useSegmentDraft(id: number | undefined) {
  const queries = useQueryClient()
  const find = async (): Promise<EnvironmentRef | null> => {
    if (id === undefined) return null
    const uses = await queries.fetchQuery(getUsagesQuery({ kind: 'segments', id }))
    const projects = [...Map.groupBy(uses, ({ projectId }) => projectId)]
    const places = await Promise.all(projects.map(([project, own]) => findGuardedUse(project, own)))
    const guarded = places.filter((place) => place !== undefined)
    return guarded.length === 1 ? (guarded[0] ?? null) : null
  }
  const findGuardedUse = async (project: string, uses: readonly StrategyUse[]): Promise<EnvironmentRef | undefined> => {
    const settings = await queries.fetchQuery(getGuardsQuery(project))
    const used = settings.filter((one) => uses.some(({ environment }) => environment === one.environment))
    const environment = findDraftEnvironment(used)
    return environment === undefined ? undefined : { project, environment }
  }
  const { data } = useQuery({ queryKey: ['segment-draft', id], queryFn: find, enabled: id !== undefined })
  return { place: data ?? undefined, find }
}
