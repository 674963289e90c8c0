import { Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { checkInvitation, signUpByInvite } from '../api/me.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { LinkFrame } from './link-frame.tsx'
import { LINK_TEXTS } from './texts.ts'

/** Page that an invite link opens. On this page, users create an account and then log in. */
export function JoinPage({ invite }: { invite: string }) {
  const { join: own } = useCatalogue(LINK_TEXTS)
  const answer = useQuery({
    queryKey: ['invitation', invite],
    queryFn: () => checkInvitation(invite),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const isGone = answer.error !== null && 'status' in answer.error && answer.error.status === 400
  return (
    <LinkFrame answer={answer} isGone={isGone} texts={own}>
      {(good) => <JoinForm invite={good} />}
    </LinkFrame>
  )
}

function JoinForm({ invite }: { invite: string }) {
  const t = useTexts()
  const { join: own } = useCatalogue(LINK_TEXTS)
  const navigate = useNavigate()
  const [given, setGiven] = useState({ email: '', name: '', password: '', again: '' })
  const { email, name, password, again } = given
  const save = useMutation({
    mutationFn: () => signUpByInvite(invite, { email, password, ...(name === '' ? {} : { name }) }),
    onSuccess: async () => {
      await navigate({ to: '/login' })
      showSuccess(own.done)
    },
  })
  const differ = again !== '' && again !== password
  const field = (key: keyof typeof given) => ({
    value: given[key],
    onChange: (event: { currentTarget: { value: string } }) => setGiven({ ...given, [key]: event.currentTarget.value }),
  })
  return (
    <Form
      save={save}
      draft={undefined}
      submit={() => save.mutate()}
      isReady={email !== '' && password !== '' && again === password}
      action={own.submit}
    >
      <Text c="dimmed">{own.text}</Text>
      <TextInput label={own.email} type="email" autoComplete="username" required data-autofocus {...field('email')} />
      <TextInput label={own.name} autoComplete="name" {...field('name')} />
      <SecretField
        label={t.login.newPassword}
        description={t.login.passwordRule}
        autoComplete="new-password"
        required
        {...field('password')}
      />
      <SecretField
        label={t.login.repeatPassword}
        autoComplete="new-password"
        required
        error={differ && t.login.differ}
        {...field('again')}
      />
    </Form>
  )
}
