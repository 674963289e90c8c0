import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { projects } from '../api/projects.ts'
import { useTexts } from '../text/texts.tsx'
import { useProject } from './use-project.ts'

/** The query of all projects. */
export const PROJECTS = { queryKey: ['projects'], queryFn: projects, staleTime: 30_000 } as const

/** Goes to another project; not shown while there is but one. */
export function ProjectPicker() {
  const t = useTexts()
  const navigate = useNavigate()
  const current = useProject()
  const { data = [] } = useQuery(PROJECTS)
  if (data.length < 2) return null
  return (
    <Select
      aria-label={t.common.project}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={current}
      searchable
      w={200}
      onChange={(project) => project !== null && void navigate({ to: '/projects/$project', params: { project } })}
    />
  )
}
