import type { Approver, ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Chip, Group, Input, MultiSelect, Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  fetchRequestedReviewers,
  fetchReviewers,
  renameRequest,
  setChangeRequestState,
  setRequestedReviewers,
} from '../api/change-requests.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { getMyId, useMe } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { suggestTitle } from './suggested-title.ts'
import { REQUEST_TEXTS } from './texts.ts'

interface Props {
  readonly request: ChangeRequest
  readonly close: () => void
}

/** Dialog that sends a draft to review with a title, a reason and requested reviewers. */
export function SendDialog({ request, close }: Props) {
  const t = useCatalogue(REQUEST_TEXTS)
  return (
    <Dialog title={t.sendTitle} close={close}>
      <ResendForm request={request} close={close} />
    </Dialog>
  )
}

/** Preselects the previous reviewers if the draft has been sent before. */
function ResendForm({ request, close }: Props) {
  const { project, id } = request
  const answer = useQuery({
    queryKey: ['opened', 'approvers', project, id],
    queryFn: async () => {
      const [before, able] = await Promise.all([fetchRequestedReviewers(request), fetchReviewers(request)])
      return before.map((one) => String(one.id)).filter((one) => able.some(({ id }) => String(id) === one))
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return <Loaded answer={answer}>{(before) => <SendForm request={request} close={close} before={before} />}</Loaded>
}

function SendForm({ request, before, close }: Props & { readonly before: readonly string[] }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const me = getMyId(useMe())
  const refetch = useRefetch()
  const { project, environment } = request
  const [title, setTitle] = useState(() => suggestTitle(request, t))
  const [comment, setComment] = useState('')
  const [requested, setRequested] = useState([...before])
  const { data = [] } = useQuery({
    queryKey: ['reviewers', project, environment],
    queryFn: () => fetchReviewers({ project, environment }),
  })
  const save = useMutation({
    mutationFn: async () => {
      if (title.trim() !== request.title) await renameRequest(request, title.trim())
      if (requested.join() !== before.join()) await setRequestedReviewers(request, requested.map(Number))
      await setChangeRequestState(request, {
        state: 'In review',
        ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
      })
    },
    onSuccess: async () => {
      await refetch(['change-request', project], ['change-requests', project], ['events'])
      close()
      showSuccess(t.sent)
    },
  })
  return (
    <Form
      save={save}
      close={close}
      isReady={title.trim() !== ''}
      draft={[title, comment, requested]}
      submit={() => save.mutate()}
      action={t.send}
    >
      <NameField label={t.name} value={title} maxLength={255} isFirst put={setTitle} />
      <Textarea
        label={t.why}
        value={comment}
        maxLength={5000}
        autosize
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <ReviewerChoice reviewers={data.filter(({ id }) => id !== me)} value={requested} put={setRequested} />
    </Form>
  )
}

/** Maximum number of reviewers that are listed at once. Each listed reviewer can be selected with a single click. */
const MAX_CHIPS = 8

interface ReviewerProps {
  readonly reviewers: readonly Approver[]
  readonly value: string[]
  readonly put: (value: string[]) => void
}

function ReviewerChoice({ reviewers, value, put }: ReviewerProps) {
  const t = useCatalogue(REQUEST_TEXTS)
  const data = reviewers.map((one) => ({
    value: String(one.id),
    label: one.name || one.username || one.email || `#${one.id}`,
  }))
  if (data.length > MAX_CHIPS) {
    return <MultiSelect label={t.ask} description={t.askHint} data={data} value={value} searchable onChange={put} />
  }
  return (
    <Input.Wrapper label={t.ask} description={t.askHint} labelElement="div">
      <Chip.Group multiple value={value} onChange={put}>
        <Group gap="xs" mt={6} role="group" aria-label={t.ask}>
          {data.map((one) => (
            <Chip key={one.value} value={one.value}>
              {one.label}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}
