import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { useProject } from './use-project.ts'
import { useVisibleProjects } from './use-visible-projects.ts'

const ProjectSelect = lazyPart('ProjectSelect', async () => (await import('./project-select.tsx')).ProjectSelect)

/** Field to switch projects. Hidden if there is only one. */
export function ProjectPicker() {
  const current = useProject()
  const data = useVisibleProjects() ?? []
  if (data.length < 2) return null
  return <ProjectSelect projects={data} current={current} />
}
