import { useQuery } from '@tanstack/react-query'
import { projectEnvironments } from '../api/project-settings.ts'

/** Names of the environments that a project uses. */
export function useProjectEnvironments(project: string): string[] {
  const { data = [] } = useQuery({
    queryKey: ['project-environments', project],
    queryFn: () => projectEnvironments(project),
  })
  return data.filter(({ visible }) => visible).map(({ name }) => name)
}
