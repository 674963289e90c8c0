import { useQuery } from '@tanstack/react-query'
import { PROJECTS } from '../../api/queries.ts'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { useIdleOnce } from '../../ui/loading/use-idle-once.ts'
import { useProject } from './use-project.ts'

const ProjectSelect = lazyPart('ProjectSelect', async () => (await import('./project-select.tsx')).ProjectSelect)

/** Goes to another project; not shown while there is but one. */
export function ProjectPicker() {
  const current = useProject()
  const { data = [] } = useQuery({ ...PROJECTS, enabled: useIdleOnce() })
  if (data.length < 2) return null
  return <ProjectSelect projects={data} current={current} />
}
