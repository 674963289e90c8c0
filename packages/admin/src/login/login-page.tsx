import { Alert, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { login } from '../api/me.ts'
import { loginProblem } from '../text/login-problem.ts'
import { useTexts } from '../text/texts.tsx'
import { Logo } from '../ui/frame.tsx'
import { wasLoggedIn } from '../ui/session-mark.ts'
import styles from './login.module.css'

const route = getRouteApi('/login')

/** Username and password; then back to where the person wanted to go. */
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
    onSuccess: () => {
      queries.clear()
      history.push(next ?? '/')
    },
  })
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
            {loginProblem(t, enter.error)}
          </Alert>
        )}
        <TextInput
          label={t.login.username}
          autoComplete="username"
          value={username}
          required
          autoFocus
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={t.login.password}
          autoComplete="current-password"
          value={password}
          required
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={enter.isPending}>
          {t.login.submit}
        </Button>
      </Stack>
    </main>
  )
}
