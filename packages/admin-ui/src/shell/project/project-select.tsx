import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../text/texts.tsx'

/** Select of projects. Selecting one opens it. */
export function ProjectSelect(props: { projects: readonly { id: string; name: string }[]; current: string }) {
  const t = useTexts()
  const navigate = useNavigate()
  return (
    <Select
      aria-label={t.common.project}
      data={props.projects.map(({ id, name }) => ({ value: id, label: name }))}
      value={props.current}
      searchable
      w={200}
      miw={90}
      onChange={(project) => project !== null && void navigate({ to: '/projects/$project', params: { project } })}
    />
  )
}
