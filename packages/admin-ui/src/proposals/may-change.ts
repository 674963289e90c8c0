import { canPropose } from '@burgee/protocol/grant'
import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../api/queries.ts'
import { useMe, usePermissionCheck } from '../shell/session/session.tsx'
import { useGuards } from './guard.ts'

/**
 * Returns a function that checks whether the user may change flags of a project in an environment, directly or through
 * a change request. If no environment is given, the permission in any environment is enough. `enabled` determines
 * whether the change-request settings are fetched. Until the settings and the project's mode are loaded, only
 * permissions count.
 */
export function useMayChange(project: string, enabled = true): ReturnType<typeof usePermissionCheck> {
  const may = usePermissionCheck()
  const me = useMe()
  const { isGuarded, hasGuards } = useGuards(project, enabled)
  const { data: mode } = useQuery({
    ...PROJECTS,
    enabled: enabled && hasGuards,
    select: (all) => all.find(({ id }) => id === project)?.mode,
  })
  const isProposer = mode !== undefined && canPropose(me?.permissions ?? [], { project, mode })
  return (permission, place) => {
    if (may(permission, place)) return true
    const { environment } = place ?? {}
    return isProposer && (environment === undefined ? hasGuards : isGuarded(environment))
  }
}
