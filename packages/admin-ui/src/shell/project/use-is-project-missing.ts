import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/http.ts'
import { fetchProjectOverview } from '../../api/project-settings.ts'
import { useVisibleProjects } from './use-visible-projects.ts'

const NOT_FOUND = 404

/** Returns true if an error means that the resource does not exist. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === NOT_FOUND

/** Returns true if the project does not exist or the user cannot see it; false for '', and while this is unknown. */
export function useIsProjectMissing(project: string): boolean {
  const all = useVisibleProjects()
  // The list may be some seconds old and excludes archived projects, so fetch the project itself.
  const isUnlisted = project !== '' && all?.every(({ id }) => id !== project) === true
  const { error } = useQuery({
    queryKey: ['project', project],
    queryFn: () => fetchProjectOverview(project),
    enabled: isUnlisted,
  })
  return isUnlisted && isNotFound(error)
}
