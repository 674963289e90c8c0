import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { fetchChangeRequest } from '../api/change-requests.ts'
import { AuthorName } from '../people/person.tsx'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import ui from '../ui/ui.module.css'
import styles from './change-requests.module.css'
import { Changes } from './changes.tsx'
import { ApplyActions, RequestActions } from './request-actions.tsx'
import { RequestComments } from './request-comments.tsx'
import { useRequestRights } from './request-rights.ts'
import { Review } from './review.tsx'
import { RequestStateBadge } from './state-badge.tsx'
import { REQUEST_TEXTS } from './texts.ts'
import { Timeline } from './timeline.tsx'

const route = getRouteApi('/app/projects/$project/change-requests/$request')

/** Page of one change request with its changes, reviews and actions. */
export function RequestPage() {
  const { project, request } = route.useParams()
  return (
    <ProjectBoundary project={project}>
      <SingleRequest key={request} project={project} id={Number(request)} />
    </ProjectBoundary>
  )
}

function SingleRequest({ project, id }: { project: string; id: number }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const answer = useQuery({
    queryKey: ['change-request', project, id],
    queryFn: () => fetchChangeRequest({ project, id }),
  })
  const back = (
    <Link to="/projects/$project/change-requests" params={{ project }} className={ui.link ?? ''}>
      ← {t.back}
    </Link>
  )
  return (
    <Page
      title={answer.data?.title ?? t.request}
      back={back}
      actions={answer.data !== undefined && <RequestActions request={answer.data} />}
    >
      <Loaded answer={answer}>{(request) => <RequestDetails request={request} />}</Loaded>
    </Page>
  )
}

function RequestDetails({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { ago } = useFormat()
  const rights = useRequestRights(request)
  return (
    <Stack>
      <Group gap="xs">
        <RequestStateBadge state={request.state} />
        <EnvironmentChip name={request.environment} />
        <AuthorName author={request.createdBy} />
        <Text c="dimmed" size="sm">
          {ago(request.createdAt)}
        </Text>
      </Group>
      <ScheduleNote request={request} />
      {rights.isMine && request.state === 'In review' && <Text c="dimmed">{t.waitForOthers}</Text>}
      <ApplyActions request={request} />
      <div className={styles.details}>
        <Stack className={styles.content ?? ''}>
          <Changes request={request} rights={rights} />
        </Stack>
        <Stack className={styles.aside ?? ''}>
          <Review request={request} />
          <Timeline request={request} />
        </Stack>
        <div className={styles.content}>
          <RequestComments request={request} />
        </div>
      </div>
    </Stack>
  )
}

function ScheduleNote({ request: { state, schedule } }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { time } = useFormat()
  if (state !== 'Scheduled' || schedule === undefined) return null
  if (schedule.status === 'pending') return <Alert color="teal">{t.scheduledAt(time(schedule.scheduledAt))}</Alert>
  return (
    <Alert color="red" role="alert">
      {schedule.status === 'suspended' ? t.suspended : t.failed}
    </Alert>
  )
}
