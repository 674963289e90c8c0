import { Alert, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../api/http.ts'
import { login } from '../api/me.ts'
import type { Texts } from '../text/en.ts'
import { useTexts } from '../text/texts.tsx'
import { Logo } from '../ui/frame.tsx'
import { messageOf } from '../ui/problem.tsx'
import styles from './login.module.css'

const route = getRouteApi('/login')
const TOO_MANY = 429

/** Username and password; then back to where the person wanted to go. */
export function LoginPage() {
  const t = useTexts()
  const { next } = route.useSearch()
  const { history } = useRouter()
  const queries = useQueryClient()
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
        {enter.error !== null && (
          <Alert color="red" role="alert">
            {refusalOf(t, enter.error)}
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

function refusalOf(t: Texts, error: Error): string {
  if (error instanceof ApiError && error.status === TOO_MANY) return t.login.tooMany
  if (error instanceof ApiError && error.code === 'PasswordMismatch') return t.login.wrong
  return messageOf(error, t.errors.offline)
}
