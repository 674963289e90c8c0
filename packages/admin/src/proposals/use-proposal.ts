import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { useNavigate } from '@tanstack/react-router'
import { type ProjectPlace, propose } from '../api/change-requests.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue } from '../text/texts.tsx'
import { tellDone } from '../ui/messages/feedback.ts'
import { PROPOSAL_TEXTS } from './texts.ts'

/** Most changes that are proposed in one call. */
const AT_ONCE = 100

/** Turning a flag on or off, as a change; `activate` enables its disabled strategies. */
export const proposedSwitch = (feature: string, enabled: boolean, activate: boolean): ChangeInput => ({
  ...{ feature, action: 'updateEnabled' },
  payload: { enabled, ...(activate ? { shouldActivateDisabledStrategies: true } : {}) },
})

/** Puts changes into the person's draft for an environment, says so, and shows the way there. Rejects with ApiError. */
export function useProposal(): (place: ProjectPlace, changes: readonly ChangeInput[]) => Promise<void> {
  const tell = useProposed()
  return async (place, changes) => {
    let id = 0
    for (let from = 0; from < changes.length; from += AT_ONCE) {
      ;({ id } = await propose(place, changes.slice(from, from + AT_ONCE)))
    }
    await tell(place, { id, count: changes.length })
  }
}

/** Says that changes are in the person's draft, and shows the way there. */
export function useProposed(): (place: ProjectPlace, draft: { id: number; count: number }) => Promise<void> {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const refetch = useRefetch()
  const navigate = useNavigate()
  return async ({ project, environment }, { id, count }) => {
    const params = { project, request: String(id) }
    tellDone(t.added(environment, count), {
      label: t.look,
      run: () => void navigate({ to: '/projects/$project/change-requests/$request', params }),
    })
    await refetch(['change-requests', project], ['change-request', project], ['events'])
  }
}
