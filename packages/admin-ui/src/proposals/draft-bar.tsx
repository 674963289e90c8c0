import { Alert, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fetchMyOpenRequests } from '../api/change-requests.ts'
import { useCatalogue } from '../text/texts.tsx'
import { MovingList } from '../ui/motion/moving-list.tsx'
import ui from '../ui/ui.module.css'
import { countChanges } from './change-count.ts'
import { PROPOSAL_TEXTS } from './texts.ts'

/** Bar with the user's drafts of a project and links to review and send them. */
export function DraftBar({ project }: { project: string }) {
  const t = useCatalogue(PROPOSAL_TEXTS)
  const { data = [] } = useQuery({
    queryKey: ['change-requests', project, 'own'],
    queryFn: () => fetchMyOpenRequests(project),
  })
  const drafts = data.filter(({ state }) => state === 'Draft')
  return (
    <MovingList as="div">
      {drafts.length > 0 && (
        <Alert key="drafts" color="teal" mb="md" p="xs" role="status" aria-label={t.drafts}>
          {drafts.map((draft) => (
            <Group key={draft.id} justify="space-between" gap="xs">
              <span>{t.draft(draft.environment, countChanges(draft))}</span>
              <Link
                to="/projects/$project/change-requests/$request"
                params={{ project, request: String(draft.id) }}
                className={ui.link ?? ''}
              >
                {t.open}
              </Link>
            </Group>
          ))}
        </Alert>
      )}
    </MovingList>
  )
}
