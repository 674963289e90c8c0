import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { PROJECTS } from '../api/queries.ts'
import { useTexts } from '../text/texts.tsx'
import { useProject } from './use-project.ts'

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
