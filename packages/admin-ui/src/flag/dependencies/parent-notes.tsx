import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getFlagQuery } from '../../api/queries.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { FlagLink } from '../../ui/page/flag-link.tsx'
import { describeParentState } from './effect-text.ts'
import { getParentShare } from './parent-effect.ts'
import { DEPENDENCY_TEXTS } from './texts.ts'

interface Props {
  readonly flag: AdminFeature
  readonly environment: AdminFeatureEnvironment
}

/**
 * Warning that an enabled flag is off for everyone in an environment because its parent is not in the required state.
 */
export function ParentNotes({ flag, environment }: Props) {
  if (!environment.enabled || flag.archived) return null
  return (flag.dependencies as DependencyInput[]).map((needs) => (
    <ParentNote key={needs.feature} project={flag.project} needs={needs} environment={environment.name} />
  ))
}

interface NoteProps {
  readonly project: string
  readonly needs: DependencyInput
  readonly environment: string
}

function ParentNote({ project, needs, environment }: NoteProps) {
  const own = useCatalogue(DEPENDENCY_TEXTS)
  const { data: parent } = useQuery(getFlagQuery({ project, feature: needs.feature }))
  if (parent === undefined || getParentShare({ flag: parent, needs }, environment) !== 'nobody') return null
  return (
    <Alert color="yellow" role="note" p="xs">
      {own.offForAll} <FlagLink project={project} feature={needs.feature} />{' '}
      {own.isHere(describeParentState(own, parent, environment))}
    </Alert>
  )
}
