import type { ListedChangeRequest } from '@burgee/protocol/administration/change-request'
import { SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { fetchChangeRequests } from '../api/change-requests.ts'
import { ElsewhereNote } from '../inbox/elsewhere-note.tsx'
import { AuthorName } from '../people/person.tsx'
import { countChanges } from '../proposals/change-count.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { getMyId, useMe } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { REQUEST_KINDS, type RequestKind } from './search-params.ts'
import { RequestStateBadge } from './state-badge.tsx'
import { REQUEST_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects/$project/change-requests/')
const CLOSED_STATES: ReadonlySet<string> = new Set(['Applied', 'Cancelled', 'Rejected'])

/** Page of a project's change requests. */
export function RequestsPage() {
  const { project } = route.useParams()
  return (
    <ProjectBoundary project={project}>
      <Requests project={project} />
    </ProjectBoundary>
  )
}

function Requests({ project }: { project: string }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const me = getMyId(useMe())
  const { show = 'open' } = route.useSearch()
  const navigate = useNavigate()
  const all = useQuery({ queryKey: ['change-requests', project, 'all'], queryFn: () => fetchChangeRequests(project) })
  const data = all.data?.filter((one) => matchesFilter(one, show, me))
  const go = (next: string): void =>
    void navigate({
      to: '/projects/$project/change-requests',
      params: { project },
      search: next === 'open' ? {} : { show: next as RequestKind },
      replace: true,
    })
  return (
    <ListPage
      title={t.title}
      intro={t.intro}
      answer={{ ...all, data }}
      filters={
        <>
          <ElsewhereNote project={project} />
          <SegmentedControl
            aria-label={t.show}
            mb="md"
            value={show}
            onChange={go}
            data={REQUEST_KINDS.map((value) => ({ value, label: t.filters[value] }))}
          />
        </>
      }
      empty={
        all.data?.length === 0
          ? { title: t.empty, text: t.emptyText }
          : { title: t.noneOf[show as RequestKind], text: '' }
      }
    >
      {(items) => <RequestTable requests={items} />}
    </ListPage>
  )
}

function matchesFilter({ state, createdBy }: ListedChangeRequest, show: RequestKind, me: number | undefined): boolean {
  if (show === 'all') return true
  if (show === 'mine') return createdBy.id === me
  return CLOSED_STATES.has(state) === (show === 'over')
}

function RequestTable({ requests }: { requests: readonly ListedChangeRequest[] }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { common } = useTexts()
  const { ago, number } = useFormat()
  return (
    <Table label={t.title} columns={[t.request, t.state, common.environment, { number: t.changes }, t.approvals, t.by]}>
      {requests.map((request) => (
        <tr key={request.id}>
          <th scope="row">
            <Link
              to="/projects/$project/change-requests/$request"
              params={{ project: request.project, request: String(request.id) }}
              className={ui.link ?? ''}
            >
              {request.title}
            </Link>
          </th>
          <td>
            <RequestStateBadge state={request.state} />
          </td>
          <td>
            <EnvironmentChip name={request.environment} />
          </td>
          <td className={ui.number}>{number(countChanges(request))}</td>
          <td>{t.ofApprovals(request.approvals.length, request.minApprovals)}</td>
          <td>
            <AuthorName author={request.createdBy} />
            <Text size="sm" c="dimmed">
              {ago(request.createdAt)}
            </Text>
          </td>
        </tr>
      ))}
    </Table>
  )
}
