import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { Button, Group, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { commentOnRequest } from '../api/change-requests.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { useAct } from '../ui/messages/use-act.ts'
import { Section } from '../ui/page/section.tsx'
import styles from './change-requests.module.css'
import { REQUEST_TEXTS } from './texts.ts'

/** What was said of a change request, and what the person has to say. */
export function Comments({ request }: { request: ChangeRequest }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const { ago } = useFormat()
  const act = useAct()
  const [text, setText] = useState('')
  const say = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '') return
    const run = () => commentOnRequest(request, text.trim())
    if (await act({ what: t.say, run, done: t.said, changes: ['change-request'] })) setText('')
  }
  return (
    <Section title={t.comments}>
      <ul className={styles.comments}>
        {request.comments.map((one) => (
          <li key={one.id}>
            <Text size="sm" c="dimmed">
              {one.createdBy.username}, {ago(one.createdAt)}
            </Text>
            <div className={styles.comment}>{one.text}</div>
          </li>
        ))}
      </ul>
      <form onSubmit={(event) => void say(event)}>
        <Textarea
          label={t.comment}
          value={text}
          maxLength={5000}
          autosize
          mt={request.comments.length > 0 ? 'md' : 0}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="xs">
          <Button type="submit" variant="default">
            {t.say}
          </Button>
        </Group>
      </form>
    </Section>
  )
}
