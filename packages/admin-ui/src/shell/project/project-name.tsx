import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../../api/queries.ts'

/**
 * Returns a function that looks up the name of a project, and returns the id if the name is unknown. While `enabled` is
 * false, only names that are already loaded are known.
 */
export function useProjectName(enabled = true): (id: string) => string {
  const { data = [] } = useQuery({ ...PROJECTS, enabled })
  return (id) => data.find((one) => one.id === id)?.name ?? id
}

/** Name of a project. */
export function ProjectName({ id }: { id: string }) {
  return useProjectName()(id)
}
