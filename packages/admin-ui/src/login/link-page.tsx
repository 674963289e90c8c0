import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchLinkOwner, setPasswordByLink } from '../api/me.ts'
import { getLoginName } from '../api/users.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { JoinPage } from './join-page.tsx'
import { LinkFrame } from './link-frame.tsx'
import { LINK_TEXTS } from './texts.ts'

/**
 * Page that an invitation or a password-reset link opens. On this page, users choose a password or create an account.
 */
export function LinkPage() {
  const { token = '', invite } = useSearch({ strict: false }) as { token?: string; invite?: string }
  return invite === undefined ? <PasswordPage token={token} /> : <JoinPage invite={invite} />
}

function PasswordPage({ token }: { token: string }) {
  const { link: own } = useCatalogue(LINK_TEXTS)
  const answer = useQuery({
    queryKey: ['link', token],
    queryFn: () => fetchLinkOwner(token),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isGone = answer.error !== null && 'status' in answer.error && answer.error.status !== 0
  return (
    <LinkFrame answer={answer} isGone={isGone} texts={own}>
      {(owner) => <PasswordForm token={token} login={getLoginName(owner)} />}
    </LinkFrame>
  )
}

function PasswordForm({ token, login }: { token: string; login: string }) {
  const t = useTexts()
  const { link: own } = useCatalogue(LINK_TEXTS)
  const navigate = useNavigate()
  const [given, setGiven] = useState({ password: '', again: '' })
  const save = useMutation({
    mutationFn: () => setPasswordByLink(token, given.password),
    onSuccess: async () => {
      await navigate({ to: '/login' })
      showSuccess(own.done)
    },
  })
  const differ = given.again !== '' && given.again !== given.password
  return (
    <Form
      save={save}
      draft={undefined}
      submit={() => save.mutate()}
      isReady={given.password !== '' && given.again === given.password}
      action={own.submit}
    >
      <Text c="dimmed">{own.text(login)}</Text>
      <input type="text" autoComplete="username" value={login} readOnly hidden />
      <SecretField
        label={t.login.newPassword}
        description={t.login.passwordRule}
        data-autofocus
        autoComplete="new-password"
        value={given.password}
        required
        onChange={(event) => setGiven({ ...given, password: event.currentTarget.value })}
      />
      <SecretField
        label={t.login.repeatPassword}
        autoComplete="new-password"
        value={given.again}
        required
        error={differ && t.login.differ}
        onChange={(event) => setGiven({ ...given, again: event.currentTarget.value })}
      />
    </Form>
  )
}
