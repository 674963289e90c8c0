import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { commentOnRequest } from '../api/change-requests.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { tellDone } from '../ui/messages/feedback.ts'
import { PersonMark } from '../ui/page/person-mark.tsx'
import { Section } from '../ui/page/section.tsx'
import styles from './change-requests.module.css'
import { REQUEST_TEXTS } from './texts.ts'

/** What was said of a change request, and what the person has to say. */
export function Comments({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { ago } = useFormat()
  const [count, setCount] = useState(0)
  return (
    <Section title={t.comments}>
      <ul className={styles.comments}>
        {request.comments.map((one) => (
          <li key={one.id}>
            <Text size="sm" c="dimmed">
              <PersonMark name={one.createdBy.username} /> {one.createdBy.username}, {ago(one.createdAt)}
            </Text>
            <div className={styles.comment}>{one.text}</div>
          </li>
        ))}
      </ul>
      <NewComment key={count} request={request} said={() => setCount(count + 1)} />
    </Section>
  )
}

function NewComment({ request, said }: { request: ChangeRequest; said: () => void }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const refetch = useRefetch()
  const [text, setText] = useState('')
  const save = useMutation({
    mutationFn: () => commentOnRequest(request, text.trim()),
    onSuccess: async () => {
      await refetch(['change-request'], ['events'])
      tellDone(t.said)
      said()
    },
  })
  return (
    <Form {...{ save, draft: text, isReady: text.trim() !== '' }} submit={() => save.mutate()} action={t.say}>
      <Textarea
        label={t.comment}
        value={text}
        maxLength={5000}
        autosize
        mt={request.comments.length > 0 ? 'md' : 0}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Form>
  )
}
