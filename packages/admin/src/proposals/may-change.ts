import { mayPropose } from '@burgee/protocol/grant'
import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../api/queries.ts'
import { useMay, useMe } from '../shell/session/session.tsx'
import { useGuard } from './guard.ts'

/**
 * Asks whether the person may change what flags of a project are in an environment, or where none is named in any:
 * directly, or by a change request where it takes those and the person may propose. `enabled`: what takes change requests
 * may be asked for; until it is known, and which mode the project has, rights alone count.
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
