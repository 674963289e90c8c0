import type { EndSessions, UserSession } from '@burgee/protocol/access'
import { Badge, Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endSessions, fetchSessions } from '../api/me.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import { PROFILE_TEXTS } from './texts.ts'

/** Sessions to end: either the sessions with the given ids, or all except the current session. */
type Ending = Pick<EndSessions, 'sessions'>

/** Open sessions of the user. The user can end a single session, or all sessions except the current session. */
export function OwnSessionsSection() {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const [ending, setEnding] = useState<Ending>()
  const answer = useQuery({ queryKey: ['sessions'], queryFn: fetchSessions })
  const hasOthers = answer.data?.sessions.some(({ isCurrent }) => !isCurrent) === true
  const close = () => setEnding(undefined)
  return (
    <Section
      title={own.sessions}
      actions={
        hasOthers && (
          <Button variant="default" onClick={() => setEnding({})}>
            {own.endOthers}
          </Button>
        )
      }
    >
      <Loaded answer={answer}>
        {({ sessions }) => <SessionTable sessions={sessions} end={(id) => setEnding({ sessions: [id] })} />}
      </Loaded>
      <Dialog
        title={ending?.sessions === undefined ? own.endOthers : own.endSession}
        opened={ending !== undefined}
        close={close}
        size="md"
      >
        <EndForm ending={ending ?? {}} takesPassword={answer.data?.confirmation !== 'recent-login'} close={close} />
      </Dialog>
    </Section>
  )
}

function SessionTable({ sessions, end }: { sessions: readonly UserSession[]; end: (id: string) => void }) {
  const t = useTexts()
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const { ago, time } = useFormat()
  return (
    <Table label={own.sessions} columns={[own.loggedIn, own.lastUsed, t.common.actions]}>
      {sessions.map(({ id, createdAt, usedAt, isCurrent }) => (
        <tr key={id}>
          <th scope="row">
            {time(createdAt)}{' '}
            {isCurrent && (
              <Badge variant="default" tt="none">
                {own.thisSession}
              </Badge>
            )}
          </th>
          <td>{ago(usedAt)}</td>
          <td>
            {!isCurrent && (
              <RowButton
                label={`${own.endSession}: ${time(createdAt)}`}
                text={own.endSession}
                isDanger
                act={() => end(id)}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function EndForm({ ending, takesPassword, close }: { ending: Ending; takesPassword: boolean; close: () => void }) {
  const t = useTexts()
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const refetch = useRefetch()
  const [password, setPassword] = useState('')
  const save = useMutation({
    mutationFn: () => endSessions({ ...ending, ...(takesPassword ? { currentPassword: password } : {}) }),
    onSuccess: async ({ ended }) => {
      await refetch(['sessions'], ['events'])
      close()
      showSuccess(own.sessionsEnded(ended))
    },
  })
  return (
    <Form
      save={save}
      draft={password}
      close={close}
      isReady={!takesPassword || password !== ''}
      action={ending.sessions === undefined ? own.endOthers : own.endSession}
      isDanger
      submit={() => save.mutate()}
    >
      <Text size="sm">{takesPassword ? own.endText : `${own.endText} ${own.endRecent}`}</Text>
      {takesPassword && (
        <SecretField
          label={t.login.oldPassword}
          value={password}
          autoComplete="current-password"
          required
          data-autofocus
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
    </Form>
  )
}
