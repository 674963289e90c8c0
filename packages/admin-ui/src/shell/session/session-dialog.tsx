import type { User } from '@burgee/protocol/access'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE_PATH } from '../../api/http.ts'
import { fetchLoginMethods, fetchMe, getSsoAddress, login } from '../../api/me.ts'
import { useTexts } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { leaveFor } from '../../ui/dialog/unsaved-changes.ts'
import { PasswordField, UsernameField } from './login-fields.tsx'
import { describeLoginProblem } from './login-problem.ts'
import { useMe } from './session.tsx'

/**
 * Login dialog on top of a page whose session has ended. The page keeps its state, because the dialog only sends the
 * login request. If another user logs in, the page is reloaded after a warning.
 */
export function SessionDialog({ goOn }: { goOn: () => void }) {
  const t = useTexts()
  const before = useMe()?.user as Partial<User> | undefined
  const names = [before?.username, before?.email].filter((name) => typeof name === 'string')
  const [username, setUsername] = useState(names[0] ?? '')
  const [password, setPassword] = useState('')
  const isOther = username.trim() !== '' && !names.some((name) => isSame(name, username))
  const enter = useMutation({
    mutationFn: () => login({ username, password }),
    onSuccess: ({ id }) => goOnAs(id),
  })
  const goOnAs = (id: number): void => {
    if (id === before?.id) goOn()
    else leaveFor(`${BASE_PATH}/`)
  }
  const { data: ways } = useQuery({ queryKey: ['login-ways'], queryFn: fetchLoginMethods })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (!enter.isPending) enter.mutate()
  }
  return (
    <Dialog title={t.login.endedTitle} close={goOn} isSticky size="md">
      <Stack component="form" onSubmit={submit}>
        <Text>{t.login.endedText}</Text>
        {ways?.hasPassword !== false && (
          <>
            <UsernameField value={username} put={setUsername} />
            {isOther && <Alert color="yellow">{t.login.otherText}</Alert>}
            <PasswordField value={password} put={setPassword} />
            {enter.error !== null && (
              <Alert color="red" role="alert">
                {describeLoginProblem(t, enter.error)}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button type="submit" loading={enter.isPending}>
                {t.login.goOn}
              </Button>
            </Group>
          </>
        )}
        {ways?.hasSso === true && <SignInElsewhere goOnAs={goOnAs} />}
      </Stack>
    </Dialog>
  )
}

/**
 * Link to single sign-on in another tab. Logging in within this tab would leave the page and lose the user's input.
 * After a login in the other tab, the dialog checks the session.
 */
function SignInElsewhere({ goOnAs }: { goOnAs: (id: number) => void }) {
  const t = useTexts()
  const look = useMutation({ mutationFn: fetchMe, onSuccess: ({ user }) => goOnAs((user as User).id) })
  return (
    <>
      <Text>{t.login.ssoElsewhere}</Text>
      {look.error !== null && (
        <Alert color="red" role="alert">
          {t.login.ssoNotYet}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button component="a" href={getSsoAddress(undefined)} target="_blank" variant="default">
          {t.login.sso}
        </Button>
        <Button variant="default" loading={look.isPending} onClick={() => look.mutate()}>
          {t.login.ssoDone}
        </Button>
      </Group>
    </>
  )
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.trim().toLowerCase()
