import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { type EnvironmentRef, proposeChanges } from '../api/change-requests.ts'
import { getFlagQuery } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { listEffectiveChanges } from './effective-changes.ts'
import { PROPOSAL_TEXTS } from './texts.ts'
import { fetchDraftedFlags } from './use-flag-draft.ts'

/** Maximum number of changes proposed in one call. */
const MAX_CHANGES_PER_CALL = 100

/** Proposed changes, and how many of them are already in the draft. */
interface SentChanges {
  /** The proposed changes as JSON. */
  readonly what: string
  readonly changes: readonly ChangeInput[]
  readonly count: number
  /** Id of the draft. */
  readonly id: number
}

const NOTHING_SENT: SentChanges = { what: '', changes: [], count: 0, id: 0 }

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
  // Remember how many changes were added before a failure, so that a retry continues after them.
  const sent = useRef(NOTHING_SENT)
  return async (place, given) => {
    const what = JSON.stringify([place, given])
    if (sent.current.what !== what || sent.current.count === 0) {
      const changes = await listEffectiveChanges(given, place.environment, {
        fetchFlag: (feature) => queries.fetchQuery({ ...getFlagQuery({ ...place, feature }), staleTime: 0 }),
        fetchDrafted: () => fetchDraftedFlags(queries, place),
      })
      sent.current = { ...NOTHING_SENT, what, changes }
    }
    const { changes } = sent.current
    if (changes.length === 0) {
      showSuccess(t.nothingToPropose(place.environment))
      return
    }
    while (sent.current.count < changes.length) {
      const { count } = sent.current
      const { id } = await proposeChanges(place, changes.slice(count, count + MAX_CHANGES_PER_CALL))
      sent.current = { what, changes, count: count + MAX_CHANGES_PER_CALL, id }
    }
    const { id } = sent.current
    sent.current = NOTHING_SENT
    await tell(place, { id, count: changes.length })
  }
}

/** Returns a function that reports newly proposed changes, with a link to the draft. */
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
