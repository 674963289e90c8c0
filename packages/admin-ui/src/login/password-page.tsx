import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changePassword } from '../api/me.ts'
import { ME, mustChangePassword, TYPED_PASSWORD, useMe } from '../shell/session/session.tsx'
import { useTexts } from '../text/texts.tsx'
import { ProblemAlert } from '../ui/form/problem-alert.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import styles from './login.module.css'

/** Returns the form values and the save function. After a successful change, opens the start page. */
function usePasswordChange() {
  const t = useTexts()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [typed] = useState(() => queries.getQueryData<string>(TYPED_PASSWORD) ?? '')
  const [given, setGiven] = useState({ oldPassword: typed, password: '', again: '' })
  const [endsTokens, setEndsTokens] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const { oldPassword, password } = given
      return changePassword({ oldPassword, password, deletePersonalTokens: endsTokens })
    },
    onSuccess: async () => {
      queries.removeQueries({ queryKey: TYPED_PASSWORD })
      await queries.fetchQuery({ ...ME, staleTime: 0 })
      await queries.invalidateQueries({ queryKey: ['personal-tokens'] })
      showSuccess(t.login.changed)
      await navigate({ to: '/' })
    },
  })
  return { typed, given, setGiven, endsTokens, setEndsTokens, save }
}

/** Page on which users change their own password: at any time, or at the first login if someone else chose it. */
export function PasswordPage() {
  const t = useTexts()
  const me = useMe()
  const navigate = useNavigate()
  const { typed, given, setGiven, endsTokens, setEndsTokens, save } = usePasswordChange()
  const isForced = me !== undefined && mustChangePassword(me)
  const differ = given.again !== '' && given.again !== given.password
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (given.again === given.password) save.mutate()
  }
  const field = (name: keyof typeof given, label: string, autoComplete: string) => (
    <SecretField
      label={label}
      autoComplete={autoComplete}
      value={given[name]}
      required
      description={name === 'password' && t.login.passwordRule}
      autoFocus={name === (typed === '' ? 'oldPassword' : 'password')}
      error={name === 'again' && differ && t.login.differ}
      onChange={(event) => setGiven({ ...given, [name]: event.currentTarget.value })}
    />
  )
  return (
    <main className={styles.page}>
      <title>{t.login.changeTitle}</title>
      <Stack component="form" className={styles.card ?? ''} onSubmit={submit}>
        <Title order={1} size="h3">
          {isForced ? t.login.changeTitle : t.login.changeOwn}
        </Title>
        {isForced && <Text c="dimmed">{t.login.changeText}</Text>}
        {save.error !== null && <ProblemAlert error={save.error} />}
        {field('oldPassword', t.login.oldPassword, 'current-password')}
        {field('password', t.login.newPassword, 'new-password')}
        {field('again', t.login.repeatPassword, 'new-password')}
        {!isForced && (
          <Checkbox
            label={t.login.endTokens}
            description={t.login.endTokensText}
            checked={endsTokens}
            onChange={(event) => setEndsTokens(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          {!isForced && (
            <Button variant="default" onClick={() => void navigate({ to: '/' })}>
              {t.common.cancel}
            </Button>
          )}
          <Button type="submit" loading={save.isPending}>
            {t.common.save}
          </Button>
        </Group>
      </Stack>
    </main>
  )
}
