import { Select } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTexts } from '../../text/texts.tsx'

interface Props {
  readonly projects: readonly { readonly id: string; readonly name: string; readonly favorite: boolean }[]
  readonly current: string
}

/** Field that selects a project, favorites first. Selecting a project opens its flags. */
export function ProjectSelect({ projects, current }: Props) {
  const t = useTexts()
  const navigate = useNavigate()
  const { project: here } = useParams({ strict: false })
  return (
    <Select
      aria-label={t.common.project}
      data={[...projects]
        .sort((a, b) => Number(b.favorite) - Number(a.favorite))
        .map(({ id, name }) => ({ value: id, label: name }))}
      value={current}
      searchable
      nothingFoundMessage={t.errors.notFound}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      onChange={(project) => {
        if (project !== null && project !== here) void navigate({ to: '/projects/$project', params: { project } })
      }}
    />
  )
}
