import { mayPropose } from '@burgee/protocol/grant'
import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../api/queries.ts'
import { useMay, useMe } from '../shell/session/session.tsx'
import { useGuard } from './guard.ts'

/**
 * Returns a function that checks if the user may change flags of a project in an environment (any if undefined),
 * directly or by change request. `enabled` allows fetching the change-request settings. Until these and the project's
 * mode are loaded, only permissions count.
 */
export function useMayChange(project: string, enabled = true): ReturnType<typeof useMay> {
  const may = useMay()
  const me = useMe()
  const { isGuarded, hasGuards } = useGuard(project, enabled)
  const { data: mode } = useQuery({
    ...PROJECTS,
    enabled: enabled && hasGuards,
    select: (all) => all.find(({ id }) => id === project)?.mode,
  })
  const isProposer = mode !== undefined && mayPropose(me?.permissions ?? [], { project, mode })
  return (permission, place) => {
    if (may(permission, place)) return true
    const { environment } = place ?? {}
    return isProposer && (environment === undefined ? hasGuards : isGuarded(environment))
  }
}
