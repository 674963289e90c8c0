import type { Project } from '@burgee/protocol/project'
import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../api/queries.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'

const MOVE = 'MOVE_FEATURE_TOGGLE'

/**
 * Returns the projects to which the user may move flags from a project. The user needs the permission in the old and in
 * the new project.
 */
export function useMoveTargets(project: string): readonly Project[] {
  const may = usePermissionCheck()
  const { data = [] } = useQuery(PROJECTS)
  return may(MOVE, { project }) ? data.filter(({ id }) => id !== project && may(MOVE, { project: id })) : []
}
