import { Alert, Button, Stack, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchLoginMethods, getSsoAddress, login } from '../api/me.ts'
import { Logo } from '../shell/frame.tsx'
import { PasswordField, UsernameField } from '../shell/session/login-fields.tsx'
import { describeLoginProblem } from '../shell/session/login-problem.ts'
import { TYPED_PASSWORD } from '../shell/session/session.tsx'
import { wasLoggedIn } from '../shell/session/session-mark.ts'
import { useTexts } from '../text/texts.tsx'
import styles from './login.module.css'

const route = getRouteApi('/login')

/**
 * Login page with username and password, or single sign-on if configured. After the login, returns to the requested
 * page.
 */
export function LoginPage() {
  const t = useTexts()
  const { next } = route.useSearch()
  const { history } = useRouter()
  const queries = useQueryClient()
  const [hasEnded] = useState(() => next !== undefined && wasLoggedIn())
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const enter = useMutation({
    mutationFn: () => login({ username, password }),
    onSuccess: (user) => {
      queries.clear()
      // stores the typed password, so that users who must change it do not have to type it again
      if (user.mustChangePassword === true) queries.setQueryData(TYPED_PASSWORD, password)
      history.push(next ?? '/')
    },
  })
  const { data: ways } = useQuery({ queryKey: ['login-ways'], queryFn: fetchLoginMethods })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    enter.mutate()
  }
  return (
    <main className={styles.page}>
      <title>{t.login.title}</title>
      <Stack component="form" className={styles.card ?? ''} onSubmit={submit}>
        <Title order={1} size="h3" className={styles.title ?? ''}>
          <Logo /> {t.login.title}
        </Title>
        {hasEnded && enter.error === null && <Alert color="yellow">{t.login.ended}</Alert>}
        {enter.error !== null && (
          <Alert color="red" role="alert">
            {describeLoginProblem(t, enter.error)}
          </Alert>
        )}
        {ways?.hasPassword !== false && (
          <>
            <UsernameField value={username} put={setUsername} isFocused />
            <PasswordField value={password} put={setPassword} />
            <Button type="submit" loading={enter.isPending}>
              {t.login.submit}
            </Button>
          </>
        )}
        {ways?.hasSso === true && (
          <Button component="a" href={getSsoAddress(next)} variant="default">
            {t.login.sso}
          </Button>
        )}
      </Stack>
    </main>
  )
}
