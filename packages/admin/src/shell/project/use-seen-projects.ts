import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../../api/queries.ts'
import { useIdleOnce } from '../../ui/loading/use-idle-once.ts'

/** The projects that the person sees; undefined until they are known, which is asked once the page has nothing else to do. */
export function useSeenProjects() {
  return useQuery({ ...PROJECTS, enabled: useIdleOnce() }).data
}
