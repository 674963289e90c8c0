import { ChevronsUpDown } from 'lucide-react'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import styles from './project-picker.module.css'
import { useProject } from './use-project.ts'
import { useVisibleProjects } from './use-visible-projects.ts'

const ProjectSelect = lazyPart('ProjectSelect', async () => (await import('./project-select.tsx')).ProjectSelect)

/**
 * Name of the current project, shown above the links to its pages. If there are several projects, a field switches
 * between them.
 */
export function ProjectPicker() {
  const current = useProject()
  const data = useVisibleProjects() ?? []
  const name = data.find(({ id }) => id === current)?.name ?? current
  if (data.length === 1) return <p className={styles.single}>{name}</p>
  const placeholder = (
    <p className={styles.placeholder}>
      <span>{name}</span>
      <ChevronsUpDown size={14} aria-hidden="true" />
    </p>
  )
  if (data.length === 0) return placeholder
  return <ProjectSelect projects={data} current={current} fallback={placeholder} />
}
