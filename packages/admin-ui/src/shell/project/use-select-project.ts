import { useMe } from '../session/session.tsx'
import { selectProject } from './last-project.ts'
import { useVisibleProjects } from './use-visible-projects.ts'

/**
 * Returns a function that determines a project that the user can see. The function returns undefined if there is no
 * such project or the projects are not loaded yet.
 */
export function useSelectProject(): (wanted: string | undefined) => string | undefined {
  const all = useVisibleProjects()
  const grants = useMe()?.permissions ?? []
  return (wanted) => selectProject(all ?? [], wanted, (id) => grants.some(({ project }) => project === id))
}
