import { Alert, Box, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCatalogue } from '../text/texts.tsx'
import { MovingList } from '../ui/motion/moving-list.tsx'
import ui from '../ui/ui.module.css'
import { countChanges } from './change-count.ts'
import { PROPOSAL_TEXTS } from './texts.ts'
import { getUserRequestsQuery } from './use-flag-draft.ts'

interface Props {
  readonly project: string
  /** Flag for which drafts are shown. If undefined, all drafts are shown. */
  readonly feature?: string
}

/**
 * Drafts of the user, with links to review and send them: shown as a bar on a flag's page, and as a line on a project's
 * page.
 */
export function DraftBar({ project, feature }: Props) {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const { data = [] } = useQuery(getUserRequestsQuery(project))
  const drafts = data.filter(
    ({ state, features }) =>
      state === 'Draft' && (feature === undefined || features.some(({ name }) => name === feature)),
  )
  const lines = drafts.map((draft) => (
    <Group key={draft.id} justify={feature === undefined ? 'flex-start' : 'space-between'} gap="xs">
      <span>{t.draft(draft.environment, countChanges(draft))}</span>
      <Link
        to="/projects/$project/change-requests/$request"
        params={{ project, request: String(draft.id) }}
        className={ui.link ?? ''}
      >
        {t.open}
      </Link>
    </Group>
  ))
  return (
    <MovingList as="div">
      {drafts.length > 0 && feature !== undefined && (
        <Alert key="drafts" color="teal" mb="md" p="xs" role="status" aria-label={t.drafts}>
          {lines}
        </Alert>
      )}
      {drafts.length > 0 && feature === undefined && (
        <Box key="drafts" fz="sm" c="dimmed" mb="xs" role="status" aria-label={t.drafts}>
          {lines}
        </Box>
      )}
    </MovingList>
  )
}
