import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchRequestedReviewers } from '../api/change-requests.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import { REQUEST_TEXTS } from './texts.ts'

/** Number of approvals of a change request, the required number, and the requested reviewers. */
export function Review({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { project, id, approvals, minApprovals } = request
  const { data = [] } = useQuery({
    queryKey: ['change-request', project, id, 'approvers'],
    queryFn: () => fetchRequestedReviewers({ project, id }),
  })
  const asked = data.filter(({ status }) => status === undefined || status === 'unknown')
  return (
    <Section title={`${t.approvals}: ${t.ofApprovals(approvals.length, minApprovals)}`}>
      <Stack gap={4}>
        {approvals.length < minApprovals && <Text c="dimmed">{t.noApprovals(minApprovals)}</Text>}
        {asked.length > 0 && (
          <Text>{t.asked(asked.map((one) => one.name || one.username || `#${one.id}`).join(', '))}</Text>
        )}
      </Stack>
    </Section>
  )
}
