import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { type EnvironmentRef, proposeChanges } from '../api/change-requests.ts'
import { getFlagQuery } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { PROPOSAL_TEXTS } from './texts.ts'
import { isWithoutEffect } from './without-effect.ts'

/** Maximum number of changes proposed in one call. */
const MAX_CHANGES_PER_CALL = 100
/** Maximum number of changes whose flags are fetched to leave out changes without effect. */
const MAX_COMPARED_CHANGES = 20

/**
 * Creates a change that turns a flag on or off. With `activate`, the change also enables the disabled strategies of the
 * flag.
 */
export const createSwitchChange = (feature: string, enabled: boolean, activate: boolean): ChangeInput => ({
  feature,
  action: 'updateEnabled',
  payload: { enabled, ...(activate ? { shouldActivateDisabledStrategies: true } : {}) },
})

/**
 * Returns a function that adds changes to the user's draft for an environment and shows a link to the draft. Rejects
 * with ApiError.
 */
export function usePropose(): (place: EnvironmentRef, changes: readonly ChangeInput[]) => Promise<void> {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const queries = useQueryClient()
  const tell = useReportProposal()
  // Remembers which changes were added before a failure, so that a retry continues after these changes.
  const sent = useRef({ what: '', count: 0, id: 0 })
  return async (place, given) => {
    const changes = await dropWithoutEffect(queries, place, given)
    if (changes.length === 0) {
      showSuccess(t.nothingToPropose(place.environment))
      return
    }
    const what = JSON.stringify([place, changes])
    if (sent.current.what !== what) sent.current = { what, count: 0, id: 0 }
    while (sent.current.count < changes.length) {
      const { count } = sent.current
      const { id } = await proposeChanges(place, changes.slice(count, count + MAX_CHANGES_PER_CALL))
      sent.current = { what, count: count + MAX_CHANGES_PER_CALL, id }
    }
    const { id } = sent.current
    sent.current = { what: '', count: 0, id: 0 }
    await tell(place, { id, count: changes.length })
  }
}

/**
 * Returns the changes that have an effect on their flag. Long lists are returned unchanged, because the dialogs for
 * long lists already leave out flags without a change.
 */
async function dropWithoutEffect(
  queries: QueryClient,
  { project, environment }: EnvironmentRef,
  changes: readonly ChangeInput[],
): Promise<readonly ChangeInput[]> {
  if (changes.length > MAX_COMPARED_CHANGES) return changes
  const effective = await Promise.all(
    changes.map(async (change) => {
      const { feature } = change
      if (feature === undefined || feature === null) return [change]
      const flag = await queries.fetchQuery({ ...getFlagQuery({ project, feature }), staleTime: 0 })
      const now = flag.environments.find(({ name }) => name === environment)
      return now !== undefined && isWithoutEffect(change, now) ? [] : [change]
    }),
  )
  return effective.flat()
}

/** Returns a function that reports changes in the user's draft, with a link to the draft. */
export function useReportProposal(): (place: EnvironmentRef, draft: { id: number; count: number }) => Promise<void> {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const refetch = useRefetch()
  const navigate = useNavigate()
  return async ({ project, environment }, { id, count }) => {
    const params = { project, request: String(id) }
    // Refetch first, because the switch ignores clicks until it shows the draft.
    await refetch(['change-requests', project], ['change-request', project], ['events'])
    showSuccess(t.added(environment, count), {
      label: t.look,
      run: () => void navigate({ to: '/projects/$project/change-requests/$request', params }),
    })
  }
}
