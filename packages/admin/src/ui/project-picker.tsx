import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { PROJECTS } from '../api/queries.ts'
import { useProject } from './use-project.ts'

const ProjectSelect = lazy(async () => ({ default: (await import('./project-select.tsx')).ProjectSelect }))

/** Goes to another project; not shown while there is but one. */
export function ProjectPicker() {
  const current = useProject()
  const { data = [] } = useQuery(PROJECTS)
  if (data.length < 2) return null
  return (
    <Suspense>
      <ProjectSelect projects={data} current={current} />
    </Suspense>
  )
}
