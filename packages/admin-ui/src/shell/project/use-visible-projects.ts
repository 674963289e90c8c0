import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../../api/queries.ts'
import { useIdleOnce } from '../../ui/loading/use-idle-once.ts'

/**
 * Returns the projects that the user can see; undefined until loaded. Loads the projects when the page is idle. After a
 * failure, it is left to the page to retry.
 */
export function useVisibleProjects() {
  return useQuery({ ...PROJECTS, enabled: useIdleOnce(), retryOnMount: false }).data
}
