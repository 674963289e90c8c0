import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchRequestedReviewers } from '../api/change-requests.ts'
import { AuthorName, Person } from '../people/person.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import styles from './change-requests.module.css'
import { REQUEST_TEXTS } from './texts.ts'

/** Current and required number of approvals of a change request, and the requested reviewers. */
export function Review({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { project, id, approvals, minApprovals } = request
  const { data = [] } = useQuery({
    queryKey: ['change-request', project, id, 'approvers'],
    queryFn: () => fetchRequestedReviewers({ project, id }),
  })
  const requested = data.filter(({ status }) => status === undefined || status === 'unknown')
  return (
    <Section title={`${t.approvals}: ${t.ofApprovals(approvals.length, minApprovals)}`}>
      <Stack gap={4}>
        {approvals.length < minApprovals && <Text c="dimmed">{t.noApprovals(minApprovals)}</Text>}
        <Group gap="sm">
          {approvals.map(({ createdBy }) => (
            <Group key={createdBy.id} gap={6}>
              <AuthorName author={createdBy} />
              <Badge variant="light" tt="none">
                {t.states.Approved}
              </Badge>
            </Group>
          ))}
        </Group>
        {requested.length > 0 && (
          <Group gap="sm">
            <Text c="dimmed">{t.asked}</Text>
            <ul className={styles.people} aria-label={t.asked}>
              {requested.map((one) => (
                <li key={one.id}>
                  <Person name={one.name || one.username || `#${one.id}`} />
                </li>
              ))}
            </ul>
          </Group>
        )}
      </Stack>
    </Section>
  )
}
