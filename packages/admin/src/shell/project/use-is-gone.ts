import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/http.ts'
import { projectOverview } from '../../api/project-settings.ts'
import { useSeenProjects } from './use-seen-projects.ts'

const NOT_FOUND = 404

/** Whether an error says that there is no such thing. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === NOT_FOUND

/** Whether there is no such project, or none that the person sees; false as long as that is not known, and for ''. */
export function useIsGone(project: string): boolean {
  const all = useSeenProjects()
  // the list may be some seconds old, and leaves out those that are archived
  const isUnlisted = project !== '' && all?.every(({ id }) => id !== project) === true
  const { error } = useQuery({
    queryKey: ['project', project],
    queryFn: () => projectOverview(project),
    enabled: isUnlisted,
  })
  return isUnlisted && isMissing(error)
}
