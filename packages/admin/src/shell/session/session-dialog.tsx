import type { User } from '@burgee/protocol/access'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE_PATH } from '../../api/http.ts'
import { login } from '../../api/me.ts'
import { useTexts } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { leaveFor } from '../../ui/dialog/unsaved-changes.ts'
import { PasswordField, UsernameField } from './login-fields.tsx'
import { loginProblem } from './login-problem.ts'
import { useMe } from './session.tsx'

/**
 * Logs in above a page whose session has ended; everything on it stays, and nothing is sent but the login. Who logs in
 * as somebody else is told before that the page begins anew.
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
    onSuccess: (user) => {
      if (user.id === before?.id) goOn()
      else leaveFor(`${BASE_PATH}/`)
    },
  })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (!enter.isPending) enter.mutate()
  }
  return (
    <Dialog title={t.login.endedTitle} close={goOn} isSticky size="md">
      <Stack component="form" onSubmit={submit}>
        <Text>{t.login.endedText}</Text>
        <UsernameField value={username} put={setUsername} />
        {isOther && <Alert color="yellow">{t.login.otherText}</Alert>}
        <PasswordField value={password} put={setPassword} />
        {enter.error !== null && (
          <Alert color="red" role="alert">
            {loginProblem(t, enter.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={enter.isPending}>
            {t.login.goOn}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.trim().toLowerCase()
